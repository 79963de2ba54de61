package dev.mooring.sandbox.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.identity.LogicalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
      Map<StorageKey, StoredObject> seen = new HashMap<>();
      list.items().forEach(object -> seen.put(object.key(), object));
      try (StoreWatch watch = store.watch(scope, list.version())) {
        writer.get();
        for (StoreEvent event : drained(watch)) {
          assertThat(event.version()).isGreaterThan(list.version());
          switch (event) {
            case StoreEvent.Deleted(StoredObject object, _) -> seen.remove(object.key());
            case StoreEvent.Added(StoredObject object) -> seen.put(object.key(), object);
            case StoreEvent.Modified(StoredObject object, _) -> seen.put(object.key(), object);
          }
        }
      }
      assertThat(seen.values()).containsExactlyInAnyOrderElementsOf(store.list(scope).items());
    }
  }

  @Test
  void remembersAsManyBytesAsItMayAndNoMore() {
    var store = new InMemoryResourceStore(10_000, 1_000_000);
    ResourceKey quiet = ResourceKey.of("example.com", "quiet");
    StoredObject kept = store.create(new StorageKey(quiet, ONE, "n", "a"), thing("a", "red"));
    StoredObject last = store.create(at(ONE, "n", "a"), thing("a", "red"));
    StoredObject first = last;
    for (int i = 0; i < 100; i++) {
      last = store.update(last, thing("a", i + "x".repeat(40_000)));
    }
    long newest = last.version();

    // Of objects of 40,000 characters 24 are a million bytes.
    ListScope everything = ListScope.everywhere(THINGS);
    assertThatExceptionOfType(VersionExpired.class)
        .isThrownBy(() -> store.listAt(everything, first.version()));
    assertThatExceptionOfType(VersionExpired.class)
        .isThrownBy(() -> store.watch(everything, newest - 30));
    assertThat(store.listAt(everything, newest - 20).items()).hasSize(1);
    // What a noisy resource forgets is its own.
    assertThat(store.listAt(ListScope.everywhere(quiet), kept.version() - 1).items()).isEmpty();
  }

  @Test
  void cutsOffAReaderThatLeavesTooManyBytesLying() throws Exception {
    var store = new InMemoryResourceStore(10_000, 1_000_000);
    try (StoreWatch watch = store.watch(ListScope.everywhere(THINGS), store.version())) {
      StoredObject last = store.create(at(ONE, "n", "a"), thing("a", "red"));
      for (int i = 0; i < 100; i++) {
        last = store.update(last, thing("a", i + "x".repeat(40_000)));
      }

      assertThatExceptionOfType(WatchClosed.class)
          .isThrownBy(() -> watch.next(Duration.ZERO))
          .withMessage("the reader is more than 1000000 bytes behind");
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

  @Test
  @Timeout(60)
  void endsAListAlthoughMoreIsWrittenMeanwhileThanTheLogHolds() {
    ResourceStore store = new InMemoryResourceStore(4);
    store.create(at(ONE, "n", "first"), thing("first", "red"));
    var writers = new ArrayList<Thread>();

    StoreList list =
        store.read(
            ListScope.everywhere(THINGS),
            OptionalLong.empty(),
            Optional.empty(),
            (version, objects) -> {
              int round = writers.size();
              writers.add(
                  Thread.ofVirtual()
                      .start(() -> {
                        for (int i = 0; i < 5; i++) {
                          store.create(at(ONE, "n", "a" + round + "-" + i), thing("a", "red"));
                        }
                      }));
              join(writers.getLast());
              return StoreList.of(version, objects);
            });

    writers.forEach(InMemoryResourceStoreTest::join);
    assertThat(list.items().size() % 5).isEqualTo(1);
    assertThat(list.items()).allMatch(object -> object.version() <= list.version());
    assertThat(store.count(ListScope.everywhere(THINGS))).isEqualTo(1 + 5L * writers.size());
  }

  /** For as long as a write may have to wait for the list. */
  private static void join(Thread writer) {
    try {
      writer.join(Duration.ofMillis(500));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void answersALaterVersionForAClusterWhoseLastEventIsLongForgotten() {
    ResourceStore store = new InMemoryResourceStore(4);
    StoredObject made = store.create(at(ONE, "n", "a"), thing("a", "red"));
    for (int i = 0; i < 20; i++) {
      store.create(at(new LogicalCluster("c" + i), "n", "a"), thing("a", "red"));
    }

    assertThat(store.lastEvent(THINGS, Optional.of(ONE)))
        .isBetween(made.version(), store.version());
    assertThat(store.lastEvent(THINGS, Optional.of(new LogicalCluster("c19"))))
        .isEqualTo(store.version());
  }
}
