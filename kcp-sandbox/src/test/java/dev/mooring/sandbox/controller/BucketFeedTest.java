package dev.mooring.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ObjectAddress;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BucketFeedTest {
  private static final Bucket THINGS = Bucket.of("example.com", "things");
  private static final Duration SEEN_WITHIN = Duration.ofSeconds(30);

  private final ResourceStore store = new InMemoryResourceStore();
  private final List<String> told = new CopyOnWriteArrayList<>();

  private StoredObject create(String name) {
    return store.create(
        new ObjectAddress(THINGS, new LogicalCluster("root"), "n", name),
        KubeObject.of(Map.of("metadata", Map.of("name", name))));
  }

  private void tell(StoreEvent event) {
    told.add(event.getClass().getSimpleName() + " " + event.object().address().name());
  }

  @Test
  void tellsAgainWhatTheHandlerFailedOn() {
    var attempts = new AtomicInteger();
    try (var feed =
        BucketFeed.start(
            "test",
            store,
            THINGS,
            event -> {
              if (event.object().address().name().equals("bad") && attempts.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
              }
              tell(event);
            })) {
      create("bad");
      create("good");

      await()
          .atMost(SEEN_WITHIN)
          .untilAsserted(
              () -> assertThat(told).containsExactlyInAnyOrder("Added good", "Added bad"));
      assertThat(feed).isNotNull();
    }
  }

  @Test
  void tellsWhatWentWhileItsWatchWasBroken() throws Exception {
    var here = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    StoredObject object = create("a");
    try (var feed =
        BucketFeed.start(
            "test",
            store,
            THINGS,
            event -> {
              tell(event);
              if (event.object().address().name().equals("b")) {
                here.countDown();
                awaitCalmly(goOn);
              }
            })) {
      await().atMost(SEEN_WITHIN).untilAsserted(() -> assertThat(told).contains("Added a"));
      create("b");
      here.await();
      store.closeWatches(ListScope.everywhere(THINGS));
      store.delete(object, object.object());
      goOn.countDown();

      await().atMost(SEEN_WITHIN).untilAsserted(() -> assertThat(told).contains("Deleted a"));
      assertThat(feed).isNotNull();
    }
  }

  private static void awaitCalmly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }
}
