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
    var queue = new WorkQueue<String>();
    queue.add("a");
    queue.add("a");
    String mine = queue.take();
    queue.add("a");

    assertThat(mine).isEqualTo("a");
    assertThat(queue.size()).isEqualTo(1);
    queue.done("a");
    assertThat(queue.take()).isEqualTo("a");
    queue.done("a");
    assertThat(queue.size()).isZero();
  }
}
