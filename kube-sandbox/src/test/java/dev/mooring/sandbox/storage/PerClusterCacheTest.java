package dev.mooring.sandbox.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PerClusterCacheTest {
  private static final ResourceKey THINGS = ResourceKey.of("example.com", "things");
  private static final LogicalCluster ONE = new LogicalCluster("one");

  private final ResourceStore store = new InMemoryResourceStore();

  private final Semaphore told = new Semaphore(0);

  private StoredObject create(int number) {
    String name = "a" + number;
    return store.create(
        new StorageKey(THINGS, ONE, "n", name),
        KubeObject.of(Map.of("metadata", Map.of("name", name))));
  }

  private PerClusterCache<Integer> counting() {
    return new PerClusterCache<>(
        new ShardStores(store),
        List.of(THINGS),
        cluster -> store.list(ListScope.of(THINGS, cluster)).items().size());
  }

  @Test
  void derivesEveryValueAgainAfterAChangeInASharedCluster() {
    LogicalCluster shared = new LogicalCluster("shared");
    try (var cache =
        new PerClusterCache<>(
            new ShardStores(store),
            List.of(THINGS),
            Set.of(shared),
            cluster -> store.list(ListScope.everywhere(THINGS)).items().size())) {
      assertThat(cache.of(ONE)).isZero();

      store.create(
          new StorageKey(THINGS, shared, "n", "a"),
          KubeObject.of(Map.of("metadata", Map.of("name", "a"))));

      assertThat(cache.of(ONE)).isEqualTo(1);
    }
  }

  @Test
  void showsEveryWriteToReadersAfterIt() throws Exception {
    int writes = 20_000;
    var over = new AtomicBoolean();
    try (var cache = counting();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> others =
          threads.submit(() -> {
            while (!over.get()) {
              cache.of(ONE);
            }
          });
      try {
        StoredObject last = create(0);
        for (int i = 1; i <= writes; i++) {
          // One object at a time, so that deriving is cheap and most of the time is between.
          store.delete(last, last.object());
          assertThat(cache.of(ONE)).isZero();
          last = create(i);
          assertThat(cache.of(ONE)).isEqualTo(1);
        }
      } finally {
        over.set(true);
      }
      others.get();
    }
  }

  @Test
  void showsWhatAWatchHasReported() throws Exception {
    int writes = 2_000;
    try (var cache = counting();
        StoreWatch watch = store.watch(ListScope.everywhere(THINGS), store.version());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> writer =
          threads.submit(() -> {
            for (int i = 0; i < writes; i++) {
              create(i);
              assertThat(told.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            }
            return null;
          });
      for (int i = 1; i <= writes; i++) {
        watch.next(Duration.ofSeconds(30)).orElseThrow();

        assertThat(cache.of(ONE)).isEqualTo(i);
        told.release();
      }
      writer.get();
    }
  }
}
