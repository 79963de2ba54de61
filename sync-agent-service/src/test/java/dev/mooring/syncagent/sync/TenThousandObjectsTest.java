package dev.mooring.syncagent.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.event.EventNote;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.queue.QueueListener;
import dev.mooring.runtime.queue.QueueOptions;
import dev.mooring.runtime.queue.ReconcileResult;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.sync.ObjectDiagnosis.State;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is kept of objects by their number, with as many as one agent is made for, all at once. */
@Timeout(120)
class TenThousandObjectsTest {
  private static final int OBJECTS = 10_000;
  private static final int WORKERS = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String REFUSAL = "The provider's name for this object is too long: ";
  private static final List<ObjectKey> KEYS =
      IntStream.range(0, OBJECTS)
          .mapToObj(i -> new ObjectKey(new LogicalCluster("c" + i % 5), "default", "o" + i))
          .toList();

  private final KubeClient workspace =
      new ServerModel(ServerModel.Faults.NONE).client(new LogicalCluster("c1"));
  private final FailureRegistry failures = new FailureRegistry();
  private final UnsyncedObjects unsynced = new UnsyncedObjects(SystemTime.clock());
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final SyncMeters meters = new SyncMeters(registry, "things");

  @Test
  void delayNoOtherObjectAndAreEachReconciledOnceHoweverManyEventsArrive() {
    var begin = new CountDownLatch(1);
    var looks = new ConcurrentHashMap<ObjectKey, Integer>();
    try (WorkQueue<ObjectKey> queue =
        WorkQueue.start(
            "many",
            QueueOptions.workers(WORKERS),
            key -> {
              begin.await();
              looks.merge(key, 1, Integer::sum);
              return new ReconcileResult.Done();
            },
            QueueListener.ofTenants(_ -> ""))) {
      for (int change = 0; change < 3; change++) {
        KEYS.forEach(queue::add);
      }
      await().atMost(PATIENCE).until(() -> queue.status().running() == WORKERS);
      assertThat(queue.status().waiting()).isEqualTo(OBJECTS - WORKERS);

      begin.countDown();

      await()
          .atMost(PATIENCE)
          .until(() -> queue.status().waiting() + queue.status().running() == 0);
    }
    assertThat(looks).containsOnlyKeys(KEYS);
    // A key that is added while a worker has it is worked on again.
    assertThat(looks.values().stream().mapToInt(Integer::intValue).sum())
        .isBetween(OBJECTS, OBJECTS + WORKERS);
  }

  @Test
  void areCountedInFullAndListedUpToABoundWhereAllFail() {
    var warnings = new ConcurrentHashMap<String, Integer>();
    var reporter =
        new SyncReporter(
            (_, note) -> {
              if (note.type().equals(EventNote.WARNING)) {
                warnings.merge(note.about().name(), 1, Integer::sum);
              }
            },
            new HashSet<>(),
            failures,
            workspace,
            unsynced,
            meters);

    for (int pass = 0; pass < 2; pass++) {
      KEYS.forEach(key -> refuse(reporter, key));
    }

    assertThat(failures.count(State.REFUSED)).isEqualTo(OBJECTS);
    assertThat(failures.count(State.FAILED)).isZero();
    assertThat(failures.listed()).hasSize(FailureRegistry.LISTED_MAX);
    assertThat(failures.failing())
        .hasValueSatisfying(said ->
            assertThat(said)
                .contains("NamingFailed (" + OBJECTS + ")", REFUSAL)
                .hasSizeLessThan(500));
    assertThat(counted("mooring.sync.refusals"))
        .singleElement()
        .satisfies(refusals -> {
          assertThat(refusals.getId().getTag("reason")).isEqualTo("NamingFailed");
          assertThat(refusals.count()).isEqualTo(OBJECTS);
        });
    // Alerts on these are about the agent and its servers, not about consumers' mistakes.
    assertThat(counted("mooring.sync.errors")).isEmpty();
    assertThat(unsynced.count(_ -> true)).isZero();
    assertThat(unsynced.oldest()).isZero();
    assertThat(warnings).hasSize(OBJECTS).allSatisfy((_, times) -> assertThat(times).isEqualTo(1));
  }

  @Test
  void leaveNothingBehindOnceTheyAreInStep() {
    var reporter =
        new SyncReporter((_, _) -> {}, new HashSet<>(), failures, workspace, unsynced, meters);
    KEYS.forEach(key -> refuse(reporter, key));

    KEYS.forEach(reporter::settled);

    assertThat(failures.count(State.REFUSED)).isZero();
    assertThat(failures.listed()).isEmpty();
    assertThat(failures.failing()).isEmpty();
    assertThat(unsynced.count(_ -> true)).isZero();
    assertThat(unsynced.oldest()).isZero();
  }

  @Test
  void findRoomForTheirEventsWhileNoServerTakesAny() {
    var end = new CountDownLatch(1);
    KubeClient busy = new ServerModel(new Busy(end)).client(new LogicalCluster("c1"));
    try (var recorder = EventRecorder.start("many", "one")) {
      for (ObjectKey key : KEYS) {
        recorder.record(
            busy, EventNote.normal(source(key), "ObjectAccepted", "Object has been seen."));
        recorder.record(
            busy, EventNote.normal(source(key), "ObjectPlaced", "Object has been placed."));
      }

      assertThat(recorder.backlog()).isEqualTo(new EventRecorder.Backlog(2 * OBJECTS, 0));

      for (ObjectKey key : KEYS) {
        recorder.record(busy, EventNote.warning(source(key), "NamingFailed", REFUSAL));
      }

      assertThat(recorder.backlog()).isEqualTo(new EventRecorder.Backlog(2 * OBJECTS, OBJECTS));
      end.countDown();
    }
  }

  /** Every series exists from the start, at zero; these have been incremented. */
  private List<Counter> counted(String name) {
    return registry.find(name).counters().stream().filter(counter -> counter.count() > 0).toList();
  }

  private void refuse(SyncReporter reporter, ObjectKey key) {
    unsynced.noticed(key);
    reporter.begun(key);
    reporter.refused(
        new ReconcileContext(key, source(key), workspace, Optional.empty()),
        "NamingFailed",
        REFUSAL + key.name());
  }

  private static KubeObject source(ObjectKey key) {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "example.io/v1",
            "kind",
            "Thing",
            "metadata",
            Map.of("namespace", key.namespace(), "name", key.name())));
  }

  /** Answers nobody until the end, and then that it is away. */
  private record Busy(CountDownLatch end) implements ServerModel.Faults {
    @Override
    public void before(String verb) {
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new KubeFailure(Kind.UNAVAILABLE, 503, "", "away", null, null);
    }

    @Override
    public void after(String verb) {}
  }
}
