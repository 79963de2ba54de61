package dev.mooring.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ControllerTest {
  private static final ResourceKey THINGS = ResourceKey.of("example.com", "things");
  private static final LogicalCluster CLUSTER = new LogicalCluster("root");

  private final ResourceStore store = new InMemoryResourceStore();

  private StoredObject create(String name) {
    return store.create(
        new StorageKey(THINGS, CLUSTER, "n", name),
        KubeObject.of(Map.of("metadata", Map.of("name", name))));
  }

  private Controller<ObjectKey> start(Reconciler<ObjectKey> reconciler) {
    return Controller.start("test", store, List.of(EventSource.itself(THINGS)), reconciler);
  }

  @Test
  void looksAtWhatIsThereAndAtWhatComes() {
    var seen = ConcurrentHashMap.<String>newKeySet();
    create("before");
    Reconciler<ObjectKey> reconciler =
        key -> {
          seen.add(key.name());
          return new Next.OnEvent();
        };
    try (var running = start(reconciler)) {
      create("after");

      await().untilAsserted(() -> assertThat(seen).containsExactlyInAnyOrder("before", "after"));
      assertThat(running).isNotNull();
    }
  }

  @Test
  void requeuesAfterAFailureAndAfterADelay() {
    var looks = new AtomicInteger();
    Reconciler<ObjectKey> reconciler =
        key ->
            switch (looks.incrementAndGet()) {
              case 1 -> throw new IllegalStateException("not yet");
              case 2 -> new Next.After(Duration.ofMillis(1));
              default -> new Next.OnEvent();
            };
    try (var running = start(reconciler)) {
      create("a");

      await().untilAsserted(() -> assertThat(looks).hasValue(3));
      assertThat(running).isNotNull();
    }
  }

  @Test
  void goesOnAfterAnError() {
    var looks = new AtomicInteger();
    Reconciler<ObjectKey> reconciler =
        key -> {
          if (looks.incrementAndGet() <= 20) {
            throw new NoClassDefFoundError("planted");
          }
          return new Next.OnEvent();
        };
    try (var running = Controller.start("test", reconciler)) {
      // More keys than workers: had an error ended a worker, none would be left.
      for (int i = 0; i < 20; i++) {
        running.enqueue(new ObjectKey(CLUSTER, "n", "a" + i));
      }

      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(looks).hasValueGreaterThanOrEqualTo(40));
    }
  }

  @Test
  void givesAKeyToOneWorkerAtATime() throws InterruptedException {
    var began = new Semaphore(0);
    var goOn = new Semaphore(0);
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    var looks = new AtomicInteger();
    Reconciler<String> reconciler =
        key -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          looks.incrementAndGet();
          began.release();
          goOn.acquire();
          running.decrementAndGet();
          return new Next.OnEvent();
        };
    try (var controller = Controller.start("test", reconciler)) {
      controller.enqueue("a");
      began.acquire();
      controller.enqueue("a");
      controller.enqueue("a");
      goOn.release();
      began.acquire();
      goOn.release();
      await().untilAsserted(() -> assertThat(running).hasValue(0));
      controller.enqueue("a");
      began.acquire();
      goOn.release();

      await().untilAsserted(() -> assertThat(running).hasValue(0));
      assertThat(most).hasValue(1);
      assertThat(looks).hasValue(3);
    }
  }
}
