package dev.mooring.sandbox.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class InMemoryResourceStoreTest extends ResourceStoreContract {
  @Override
  ResourceStore store(int window) {
    return new InMemoryResourceStore(window);
  }

  @Test
  void listPlusWatchMissesNothingWhileOthersWrite() throws Exception {
    ResourceStore store = new InMemoryResourceStore();
    int writes = 2_000;
    var started = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> writer =
          threads.submit(() -> {
            for (int i = 0; i < writes; i++) {
              StoredObject made =
                  store.create(at(ONE, "n", "a" + i % 7 + "-" + i), thing("x", "red"));
              if (i % 3 == 0) {
                store.delete(made, made.object());
              }
              started.countDown();
            }
          });
      started.await();
      ListScope scope = ListScope.of(THINGS, ONE);
      StoreList list = store.list(scope);
      Map<ObjectAddress, StoredObject> seen = new HashMap<>();
      list.items().forEach(object -> seen.put(object.address(), object));
      try (StoreWatch watch = store.watch(scope, list.version())) {
        writer.get();
        for (StoreEvent event : drained(watch)) {
          assertThat(event.version()).isGreaterThan(list.version());
          switch (event) {
            case StoreEvent.Deleted(StoredObject object, _) -> seen.remove(object.address());
            case StoreEvent.Added(StoredObject object) -> seen.put(object.address(), object);
            case StoreEvent.Modified(StoredObject object, _) -> seen.put(object.address(), object);
          }
        }
      }
      assertThat(seen.values()).containsExactlyInAnyOrderElementsOf(store.list(scope).items());
    }
  }

  @Test
  void showsReadersOfAnEventTheVersionThatMadeIt() throws Exception {
    ResourceStore store = new InMemoryResourceStore();
    int writes = 10_000;
    try (StoreWatch watch = store.watch(ListScope.everywhere(THINGS), store.version());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> writer =
          threads.submit(() -> {
            for (int i = 0; i < writes; i++) {
              store.create(at(ONE, "n", "a" + i), thing("x", "red"));
            }
          });
      for (int i = 0; i < writes; i++) {
        StoreEvent event = watch.next(Duration.ofSeconds(30)).orElseThrow();

        assertThat(store.version()).isGreaterThanOrEqualTo(event.version());
      }
      writer.get();
    }
  }
}
