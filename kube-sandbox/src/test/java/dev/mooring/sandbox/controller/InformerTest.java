package dev.mooring.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class InformerTest {
  private static final ResourceKey THINGS = ResourceKey.of("example.com", "things");
  private static final Duration SEEN_WITHIN = Duration.ofSeconds(30);

  private final ResourceStore store = new InMemoryResourceStore();
  private final List<String> received = new CopyOnWriteArrayList<>();

  private StoredObject create(String name) {
    return store.create(
        new StorageKey(THINGS, new LogicalCluster("root"), "n", name),
        KubeObject.of(Map.of("metadata", Map.of("name", name))));
  }

  private Informer start(ResourceKey resource, Consumer<StoreEvent> handler) {
    return Informer.start("test", store, resource, handler);
  }

  private void awaitReceived(String event) {
    await().atMost(SEEN_WITHIN).untilAsserted(() -> assertThat(received).contains(event));
  }

  private void receive(StoreEvent event) {
    received.add(event.getClass().getSimpleName() + " " + event.object().key().name());
  }

  @Test
  void tellsAgainWhatTheHandlerFailedOn() {
    var attempts = new AtomicInteger();
    try (var feed =
        start(
            THINGS,
            event -> {
              if (event.object().key().name().equals("bad") && attempts.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
              }
              receive(event);
            })) {
      create("bad");
      create("good");

      await()
          .atMost(SEEN_WITHIN)
          .untilAsserted(
              () -> assertThat(received).containsExactlyInAnyOrder("Added good", "Added bad"));
      assertThat(feed).isNotNull();
    }
  }

  @Test
  void triesAgainWhileOthersKeepItBusyAndSaysSo() {
    Logger logger = (Logger) LoggerFactory.getLogger(Informer.class);
    var log = new ListAppender<ILoggingEvent>();
    log.start();
    logger.addAppender(log);
    var attempts = new AtomicInteger();
    var busy = new AtomicBoolean(true);
    try (var feed =
            start(
                THINGS,
                event -> {
                  if (event.object().key().name().equals("bad") && attempts.incrementAndGet() < 5) {
                    throw new IllegalStateException("not yet");
                  }
                  receive(event);
                });
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      create("bad");
      threads.submit(() -> {
        for (StoredObject last = create("noise"); busy.get(); ) {
          last =
              store.update(
                  last, last.object().with(Long.toString(last.version()), "metadata", "count"));
        }
      });

      awaitReceived("Added bad");
      busy.set(false);
      assertThat(feed).isNotNull();
    } finally {
      busy.set(false);
      logger.detachAppender(log);
    }
    assertThat(log.list)
        .filteredOn(entry -> entry.getLevel() == Level.WARN)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "the event of things.example.com root|n/bad could not be handled, attempt 1; it is"
                + " handled again in 100 ms",
            "the event of things.example.com root|n/bad could not be handled, attempt 2; it is"
                + " handled again in 100 ms",
            "the event of things.example.com root|n/bad could not be handled, attempt 4; it is"
                + " handled again in 100 ms");
  }

  @Test
  void tellsWhatWentWhileItsWatchWasBroken() throws Exception {
    var here = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    StoredObject object = create("a");
    try (var feed =
        start(
            THINGS,
            event -> {
              receive(event);
              if (event.object().key().name().equals("b")) {
                here.countDown();
                awaitCalmly(goOn);
              }
            })) {
      awaitReceived("Added a");
      create("b");
      here.await();
      store.closeWatches(ListScope.everywhere(THINGS));
      store.delete(object, object.object());
      goOn.countDown();

      awaitReceived("Deleted a");
      assertThat(feed).isNotNull();
    }
  }

  @Test
  void receivesInOrderWhatWasWrittenWhileItHandledTheList() throws Exception {
    var here = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    create("a");
    try (var feed =
        start(
            THINGS,
            event -> {
              receive(event);
              here.countDown();
              awaitCalmly(goOn);
            })) {
      here.await();
      // More than the store remembers, less than a watch holds.
      update(create("noise"), 15_000);
      create("last");
      goOn.countDown();

      awaitReceived("Added last");
      assertThat(received).containsOnlyOnce("Added a").containsOnlyOnce("Added noise");
      assertThat(received).hasSize(15_003);
      assertThat(feed).isNotNull();
    }
  }

  @Test
  void forgetsOfEverythingWhatItFailedOnBeforeItsWatchBroke() throws Exception {
    var here = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var attempts = new AtomicInteger();
    var attemptsBefore = new AtomicInteger();
    var laterAttempts = new AtomicInteger();
    StoredObject bad = create("bad");
    try (var feed =
        start(
            ResourceKey.EVERYTHING,
            event -> {
              switch (event.object().key().name()) {
                case "bad" -> {
                  attempts.incrementAndGet();
                  throw new IllegalStateException("never");
                }
                case "block" -> {
                  here.countDown();
                  awaitCalmly(goOn);
                  attemptsBefore.set(attempts.get());
                }
                case "later" -> {
                  if (laterAttempts.incrementAndGet() < 3) {
                    throw new IllegalStateException("not yet");
                  }
                }
                default -> {}
              }
              receive(event);
            })) {
      create("block");
      here.await();
      // More than a watch holds.
      update(create("noise"), 21_000);
      store.delete(bad, bad.object());
      goOn.countDown();
      awaitReceived("Added noise");
      create("later");

      awaitReceived("Added later");
      assertThat(attempts).hasValue(attemptsBefore.get()).hasPositiveValue();
      assertThat(feed).isNotNull();
    }
  }

  private void update(StoredObject object, int times) {
    StoredObject last = object;
    for (int i = 0; i < times; i++) {
      last = store.update(last, last.object().with(Integer.toString(i), "metadata", "count"));
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
