package dev.mooring.syncagent.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.Change;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PrimaryWritesTest {
  private static final ObjectKey SOURCE = new ObjectKey(new LogicalCluster("c1"), "ns", "a");
  private static final ObjectKey COPY = new ObjectKey(LogicalCluster.NONE, "c1", "a");

  private final PrimaryWrites writes = new PrimaryWrites();

  @Test
  void missesNoCopyThatTheWatchShowsWhileTheCacheIsRead() {
    KubeObject written = object("u", "7");
    writes.createsCopy(SOURCE);
    writes.wroteCopy(SOURCE, written);

    Optional<KubeObject> newest =
        writes.newestCopy(
            SOURCE,
            () -> {
              writes.copyChanged(SOURCE, new Change.Added(COPY, written));
              return Optional.empty();
            });

    assertThat(newest).contains(written);
  }

  @Test
  void hasASourceAsItWasWrittenUntilTheCacheHasIt() {
    KubeObject cached = object("u", "6");
    KubeObject written = object("u", "7");
    writes.wroteSource(SOURCE, written);
    assertThat(writes.newestSource(SOURCE, cached)).isEqualTo(written);

    assertThat(writes.newestSource(SOURCE, written)).isEqualTo(written);

    assertThat(writes.newestSource(SOURCE, cached)).isEqualTo(cached);
  }

  @Test
  void takesAnotherSourceByTheSameNameForNewer() {
    writes.wroteSource(SOURCE, object("u", "7"));
    KubeObject other = object("v", "3");

    assertThat(writes.newestSource(SOURCE, other)).isEqualTo(other);
  }

  @Test
  void knowsTheEndOfTheCopyThatItDeleted() {
    writes.wroteCopy(SOURCE, object("u", "7"));
    writes.copyChanged(SOURCE, new Change.Added(COPY, object("u", "7")));
    writes.deletesCopy(SOURCE, "u");
    assertThat(writes.knowsEnd(SOURCE)).isFalse();

    writes.copyChanged(SOURCE, new Change.Removed(COPY, object("u", "8")));

    assertThat(writes.knowsEnd(SOURCE)).isTrue();
  }

  @Test
  void knowsNoEndWhileAnotherCopyMayHaveBeenCreated() {
    writes.wroteCopy(SOURCE, object("u", "7"));
    writes.deletesCopy(SOURCE, "u");
    writes.createsCopy(SOURCE);

    writes.copyChanged(SOURCE, new Change.Removed(COPY, object("u", "8")));

    assertThat(writes.knowsEnd(SOURCE)).isFalse();
  }

  @Test
  void mayHaveACopyUntilTheServerSaysThatThereIsNone() {
    writes.createsCopy(SOURCE);
    assertThat(writes.mayHaveUnshownCopy(SOURCE)).isTrue();

    writes.foundNoCopy(SOURCE);

    assertThat(writes.mayHaveUnshownCopy(SOURCE)).isFalse();
  }

  @Test
  void believesTheWatchWhereACopyIsAwaitedForTheSecondTime() {
    writes.wroteCopy(SOURCE, object("u", "7"));
    assertThat(writes.awaitsCopy(SOURCE)).isTrue();
    assertThat(writes.hasUnshownCopy(SOURCE)).isTrue();

    assertThat(writes.awaitsCopy(SOURCE)).isTrue();

    assertThat(writes.hasUnshownCopy(SOURCE)).isFalse();
    assertThat(writes.newestCopy(SOURCE, Optional::empty)).isEmpty();
  }

  private static KubeObject object(String uid, String version) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("namespace", "ns", "name", "a", "uid", uid, "resourceVersion", version)));
  }
}
