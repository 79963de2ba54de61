package dev.mooring.syncagent.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.event.EventNote;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.syncagent.published.DeletionPropagation;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.sync.decide.SyncAction;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SyncReporterTest {
  private static final ObjectKey KEY = new ObjectKey(new LogicalCluster("c1"), "default", "a");
  private static final KubeObject SOURCE =
      KubeObject.of(
          Map.of("apiVersion", "v1", "kind", "Thing", "metadata", Map.of("name", "a", "uid", "u")));
  private static final KubeObject DELETING =
      SOURCE.with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp");

  private final List<EventNote> notes = new ArrayList<>();
  private final KubeClient client =
      new ServerModel(ServerModel.Faults.NONE).client(new LogicalCluster("c1"));
  private final SyncReporter reporter =
      new SyncReporter(
          (_, note) -> notes.add(note),
          new HashSet<>(),
          new FailureRegistry(),
          client,
          new UnsyncedObjects(SystemTime.clock()),
          new SyncMeters(new SimpleMeterRegistry(), "things"));

  @Test
  void thePlacedImpliesTheAccepted() {
    done(SOURCE, new SyncAction.AddFinalizer(SOURCE, List.of()));
    done(SOURCE, new SyncAction.CreateCopy(SOURCE, Map.of(), "u"));

    assertThat(notes)
        .extracting(EventNote::reason)
        .containsExactly("ObjectAccepted", "ObjectPlaced");
    assertThat(notes.getLast().implied()).contains(notes.getFirst());
  }

  @Test
  void theEndOfADeletionImpliesItsBegin() {
    done(DELETING, new SyncAction.DeleteCopy(SOURCE, DeletionPropagation.BACKGROUND));
    done(DELETING, new SyncAction.RemoveFinalizer(DELETING, List.of()));

    assertThat(notes)
        .extracting(EventNote::reason)
        .containsExactly("ObjectCleanup", "ObjectDeleted");
    assertThat(notes.getLast().implied()).contains(notes.getFirst());
  }

  @Test
  void whyACopyOfALivingSourceWentIsSaidInAnyCase() {
    done(SOURCE, new SyncAction.DeleteCopy(SOURCE, DeletionPropagation.BACKGROUND));
    done(SOURCE, new SyncAction.RemoveFinalizer(SOURCE, List.of()));

    assertThat(notes)
        .extracting(EventNote::reason)
        .containsExactly("ObjectCleanup", "ObjectDeleted");
    assertThat(notes.getLast().implied()).isEmpty();
  }

  private void done(KubeObject source, SyncAction action) {
    reporter.done(new ReconcileContext(KEY, source, client, Optional.empty()), action, 1);
  }
}
