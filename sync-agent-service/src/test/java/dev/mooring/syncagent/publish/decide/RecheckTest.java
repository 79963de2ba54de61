package dev.mooring.syncagent.publish.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.publish.decide.Recheck.TypeSource;
import dev.mooring.syncagent.sync.decide.SyncState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecheckTest {
  private static final SyncState OFF = new SyncState.Off();
  private static final SyncState RUNNING = new SyncState.Running(Optional.empty(), List.of());

  @Test
  void leavesATypeToTheWatchOfItsDefinition() {
    assertThat(Recheck.of(seen(ready(), OFF), TypeSource.DEFINITION)).isEqualTo(Recheck.NONE);
    assertThat(Recheck.of(seen(ready(), RUNNING), TypeSource.DEFINITION)).isEqualTo(Recheck.NONE);
  }

  @Test
  void readsATypeWithoutADefinitionAgainWhereNothingOfItIsWatched() {
    assertThat(Recheck.of(seen(ready(), OFF), TypeSource.DESCRIPTION))
        .isEqualTo(Recheck.TYPE_UNWATCHED);
    assertThat(Recheck.of(seen(ready(), RUNNING), TypeSource.DESCRIPTION)).isEqualTo(Recheck.NONE);
  }

  @Test
  void triesAgainToReadATypeThatCouldNotBeRead() {
    assertThat(Recheck.of(seen(ready(), RUNNING), TypeSource.OLD_DESCRIPTION))
        .isEqualTo(Recheck.TYPE_UNREADABLE);
    assertThat(Recheck.of(seen(new Publication.Unreadable("503"), OFF), TypeSource.DESCRIPTION))
        .isEqualTo(Recheck.TYPE_UNREADABLE);
  }

  @Test
  void looksForATypeThatIsNotServedAndForNoneThatIsWrong() {
    assertThat(
            Recheck.of(
                seen(new Publication.Rejected(Publication.NOT_FOUND, "none"), OFF),
                TypeSource.DEFINITION))
        .isEqualTo(Recheck.TYPE_MISSING);
    assertThat(
            Recheck.of(
                seen(new Publication.Rejected("InvalidSpec", "wrong"), OFF), TypeSource.DEFINITION))
        .isEqualTo(Recheck.NONE);
  }

  @ParameterizedTest
  @EnumSource(TypeSource.class)
  void saysSoonThatObjectsAreKeptInStep(TypeSource source) {
    assertThat(Recheck.of(seen(ready(), new SyncState.Listing("")), source))
        .isEqualTo(Recheck.CACHES_FILL);
    assertThat(
            Recheck.of(seen(ready(), new SyncState.Waiting(SyncState.CACHES_FILLING, "")), source))
        .isEqualTo(Recheck.CACHES_FILL);
    assertThat(Recheck.of(seen(ready(), new SyncState.Waiting("NoEndpoints", "")), source))
        .isNotEqualTo(Recheck.CACHES_FILL);
  }

  private static Publication ready() {
    var publication =
        Publication.of(
            PublicationPlannerTest.resource(), Optional.of(CertificateCrd.withoutSchema()), "");
    assertThat(publication).isInstanceOf(Publication.Ready.class);
    return publication;
  }

  private static PublicationSnapshot seen(Publication publication, SyncState syncing) {
    return new PublicationSnapshot(
        KubeObject.of(Map.of("metadata", Map.of("name", "certificates"))),
        publication,
        new PublicationSnapshot.Agent("agent", Map.of(), StatusFields.ALL),
        new ExportLookup.Unknown("ExportNotFound", ""),
        Optional.empty(),
        new ListedSchema.None(),
        Optional.empty(),
        syncing,
        Instant.EPOCH);
  }
}
