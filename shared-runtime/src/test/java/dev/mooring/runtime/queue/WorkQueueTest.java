package dev.mooring.runtime.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.log.LogFields;
import dev.mooring.runtime.time.Backoff;
import dev.mooring.runtime.time.ManualTime;
import dev.mooring.runtime.trace.Tracing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class WorkQueueTest {
  private static final RandomGenerator NEVER = () -> 0;
  private static final ReconcileResult ON_EVENT = new ReconcileResult.Done();

  private final ManualTime time = new ManualTime();
  private final List<String> worked = new CopyOnWriteArrayList<>();
  private final List<WorkQueue<String>> queues = new ArrayList<>();

  @AfterEach
  void closes() {
    queues.forEach(queue -> queue.close(Duration.ZERO));
  }

  @Test
  void worksOnceOnWhatWasAddedManyTimes() {
    var gate = new Semaphore(0);
    WorkQueue<String> queue = gated(1, gate);
    queue.add("first");
    await().until(() -> queue.status().running() == 1);

    for (int i = 0; i < 100; i++) {
      queue.add("many");
    }
    assertThat(queue.status().waiting()).isEqualTo(1);
    gate.release(200);

    await().until(() -> queue.status().idle());
    assertThat(worked).containsExactly("first", "many");
  }

  @Test
  void worksAgainOnWhatWasAddedMeanwhile() {
    var gate = new Semaphore(0);
    WorkQueue<String> queue = gated(4, gate);
    queue.add("key");
    await().until(() -> queue.status().running() == 1);

    queue.add("key");
    queue.add("key");
    assertThat(queue.status().running()).isEqualTo(1);
    assertThat(queue.status().waiting()).isZero();
    gate.release(200);

    await().until(() -> queue.status().idle());
    assertThat(worked).containsExactly("key", "key");
  }

  @Test
  void neverWorksOnOneKeyTwiceAtATimeAndLosesNoEvent() throws InterruptedException {
    Map<Integer, AtomicInteger> wanted = new ConcurrentHashMap<>();
    Map<Integer, Integer> reached = new ConcurrentHashMap<>();
    Map<Integer, AtomicInteger> inside = new ConcurrentHashMap<>();
    var overlaps = new AtomicInteger();
    for (int key = 0; key < 5; key++) {
      wanted.put(key, new AtomicInteger());
      inside.put(key, new AtomicInteger());
    }
    WorkQueue<Integer> queue =
        WorkQueue.start(
            "overlap",
            QueueOptions.workers(8).withCapacity(3),
            key -> {
              if (inside.get(key).incrementAndGet() > 1) {
                overlaps.incrementAndGet();
              }
              reached.put(key, wanted.get(key).get());
              Thread.yield();
              inside.get(key).decrementAndGet();
              return ON_EVENT;
            },
            QueueListener.ofTenants(_ -> ""));

    var adders = new ArrayList<Thread>();
    for (int adder = 0; adder < 4; adder++) {
      adders.add(
          Thread.startVirtualThread(() -> {
            for (int i = 0; i < 5_000; i++) {
              wanted.get(i % 5).incrementAndGet();
              queue.add(i % 5);
            }
          }));
    }
    for (Thread adder : adders) {
      adder.join();
    }

    await().until(() -> queue.status().idle());
    assertThat(overlaps).hasValue(0);
    assertThat(reached).isEqualTo(Map.of(0, 4_000, 1, 4_000, 2, 4_000, 3, 4_000, 4, 4_000));
    queue.close();
  }

  @Test
  void makesTheSourceWaitWhenItIsFull() {
    var gate = new Semaphore(0);
    WorkQueue<String> queue = gated(1, 2, gate);
    queue.add("running");
    await().until(() -> queue.status().running() == 1);
    queue.add("a");
    queue.add("b");
    queue.add("a");

    Thread source = Thread.ofPlatform().start(() -> queue.add("c"));
    await().until(() -> source.getState() == Thread.State.WAITING);
    assertThat(queue.status().waiting()).isEqualTo(2);
    gate.release(200);

    await().until(() -> worked.size() == 4);
    assertThat(worked).containsExactly("running", "a", "b", "c");
  }

  @Test
  void neverBlocksItsOwnWorkers() {
    var self = new ConcurrentHashMap<String, WorkQueue<String>>();
    var ready = new CountDownLatch(1);
    WorkQueue<String> queue =
        started(
            QueueOptions.workers(1).withCapacity(1),
            key -> {
              ready.await();
              worked.add(key);
              if (key.equals("seed")) {
                for (int i = 0; i < 10; i++) {
                  self.get("queue").add("child-" + i);
                }
              }
              return ON_EVENT;
            },
            QueueListener.ofTenants(_ -> ""));
    self.put("queue", queue);
    queue.add("seed");
    ready.countDown();

    await().until(() -> worked.size() == 11);
  }

  @Test
  void triesAFailingKeyLaterEachTime() {
    var failuresLeft = new AtomicInteger(3);
    var told = new CopyOnWriteArrayList<String>();
    WorkQueue<String> queue =
        started(
            options(1),
            key -> {
              worked.add(key);
              if (failuresLeft.getAndDecrement() > 0) {
                throw new IllegalStateException("not yet");
              }
              return ON_EVENT;
            },
            new Telling(told));
    queue.add("key");

    for (int attempt = 1; attempt <= 3; attempt++) {
      int so = attempt;
      await().until(() -> told.size() == so && time.pending() == 1);
      assertThat(queue.status().failing()).isEqualTo(1);
      time.advance(Duration.ofSeconds(10));
    }

    await().until(() -> told.size() == 4);
    assertThat(time.asked())
        .containsExactly(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400));
    assertThat(told)
        .containsExactly(
            "key failed 1: not yet", "key failed 2: not yet", "key failed 3: not yet", "key done");
    assertThat(queue.status()).isEqualTo(new QueueStatus(0, 0, 0, 0, Duration.ZERO, 1, 3));
  }

  @Test
  void triesAFailingKeyAtOnceWhenItIsAddedAgain() {
    var fails = new AtomicBoolean(true);
    WorkQueue<String> queue =
        started(
            options(1),
            key -> {
              worked.add(key);
              if (fails.get()) {
                throw new IllegalStateException("not yet");
              }
              return ON_EVENT;
            },
            QueueListener.ofTenants(_ -> ""));
    queue.add("key");
    await().until(() -> queue.status().delayed() == 1);

    fails.set(false);
    queue.add("key");

    await().until(() -> worked.size() == 2 && queue.status().idle());
    assertThat(queue.status().failing()).isZero();
    assertThat(time.pending()).isZero();
  }

  @Test
  void tellsOfAFailureBeforeTheKeyIsWorkedOnAgain() {
    var gate = new Semaphore(0);
    var told = new CopyOnWriteArrayList<String>();
    WorkQueue<String> queue =
        started(
            options(2),
            key -> {
              worked.add(key);
              if (worked.size() == 1) {
                throw new IllegalStateException("not yet");
              }
              return ON_EVENT;
            },
            new QueueListener<>() {
              @Override
              public void succeeded(String key, Duration took) {
                told.add("done");
              }

              @Override
              public void failed(String key, Exception cause, int failures, Duration retryAfter) {
                told.add("failing");
                gate.acquireUninterruptibly();
                told.add("failed");
              }
            });
    queue.add("key");
    await().until(() -> told.contains("failing"));

    queue.add("key");

    assertThat(queue.status().running()).isEqualTo(1);
    assertThat(queue.status().waiting()).isZero();
    gate.release();
    await().until(() -> queue.status().delayed() == 1);
    time.advance(Duration.ofSeconds(1));
    await().until(() -> told.contains("done"));
    assertThat(told).containsExactly("failing", "failed", "done");
  }

  @Test
  void waitsAsLongAsTheServerAsks() {
    WorkQueue<String> queue =
        started(
            options(1),
            _ -> {
              throw new KubeFailure(
                  KubeFailure.Kind.UNAVAILABLE, 429, "", "busy", Duration.ofSeconds(7), null);
            },
            QueueListener.ofTenants(_ -> ""));
    queue.add("key");

    await().until(() -> queue.status().delayed() == 1);
    assertThat(time.asked()).containsExactly(Duration.ofSeconds(7));
  }

  @Test
  void requeuesAfterTheDelayOfTheResult() {
    WorkQueue<String> queue =
        started(
            options(1),
            key -> {
              worked.add(key);
              return worked.size() == 1
                  ? new ReconcileResult.RequeueAfter(Duration.ofSeconds(5))
                  : ON_EVENT;
            },
            QueueListener.ofTenants(_ -> ""));
    queue.add("key");
    await().until(() -> queue.status().delayed() == 1);

    time.advance(Duration.ofSeconds(4));
    assertThat(worked).hasSize(1);
    time.advance(Duration.ofSeconds(1));

    await().until(() -> worked.size() == 2 && queue.status().delayed() == 0);
  }

  @Test
  void outlivesAWorkerThatBreaks() {
    var breaks = new AtomicBoolean(true);
    WorkQueue<String> queue =
        started(
            options(1),
            key -> {
              if (breaks.getAndSet(false)) {
                Thread.currentThread().interrupt();
                throw new StackOverflowError();
              }
              worked.add(key);
              return ON_EVENT;
            },
            QueueListener.ofTenants(_ -> ""));
    queue.add("key");
    await().until(() -> queue.status().delayed() == 1);

    time.advance(Duration.ofSeconds(1));

    await().until(() -> worked.equals(List.of("key")));
  }

  @Test
  void letsWorkUnderWayEndWhenItCloses() {
    var gate = new Semaphore(0);
    WorkQueue<String> queue = gated(1, 1, gate);
    queue.add("running");
    await().until(() -> queue.status().running() == 1);
    queue.add("waiting");
    var blocked = new CopyOnWriteArrayList<Boolean>();
    Thread source = Thread.ofPlatform().start(() -> blocked.add(queue.add("too many")));
    await().until(() -> source.getState() == Thread.State.WAITING);

    Thread closer = Thread.ofPlatform().start(() -> queue.close(Duration.ofMinutes(1)));
    await().until(() -> blocked.equals(List.of(false)));
    assertThat(closer.isAlive()).isTrue();
    gate.release(200);

    await().until(() -> !closer.isAlive());
    assertThat(worked).containsExactly("running");
    assertThat(queue.add("late")).isFalse();
    assertThat(queue.status().waiting()).isZero();
  }

  /** Its one worker goes on, and no key stays where it is. */
  @Test
  void goesOnThoughItsListenerBreaks() {
    var broken =
        new QueueListener<String>() {
          @Override
          public LogFields about(String key) {
            throw new StackOverflowError("planted");
          }

          @Override
          public void succeeded(String key, Duration took) {
            throw new StackOverflowError("planted");
          }

          @Override
          public void failed(String key, Exception cause, int failures, Duration retryAfter) {
            throw new StackOverflowError("planted");
          }
        };
    WorkQueue<String> queue =
        started(
            options(1),
            key -> {
              worked.add(key);
              if (key.equals("failing")) {
                throw new IllegalStateException("planted");
              }
              return ON_EVENT;
            },
            broken);

    queue.add("failing");
    queue.add("succeeding");

    await().until(() -> worked.contains("succeeding"));
    await().until(() -> queue.status().running() == 0 && queue.status().delayed() == 1);
  }

  @Test
  void interruptsWorkThatTakesTooLongWhenItCloses() {
    var interrupted = new CountDownLatch(1);
    WorkQueue<String> queue =
        started(
            options(1),
            _ -> {
              try {
                new CountDownLatch(1).await();
                return ON_EVENT;
              } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
              }
            },
            QueueListener.ofTenants(_ -> ""));
    queue.add("stuck");
    await().until(() -> queue.status().running() == 1);

    queue.close(Duration.ofMillis(1));

    await().until(() -> interrupted.getCount() == 0 && queue.status().running() == 0);
  }

  @Test
  void workAndItsReportHaveTheFieldsOfTheirKeyAndTheNextKeyHasNoneOfThem() {
    var fields = new ConcurrentHashMap<String, String>();
    WorkQueue<String> queue =
        started(
            options(1),
            key -> {
              fields.put(key + " works", String.valueOf(allFields()));
              MDC.put("left", "behind");
              if (key.equals("fails")) {
                throw new IllegalStateException("planted");
              }
              return ON_EVENT;
            },
            new QueueListener<>() {
              @Override
              public LogFields about(String key) {
                return key.equals("other") ? LogFields.NONE : LogFields.NONE.publishedResource(key);
              }

              @Override
              public void succeeded(String key, Duration took) {
                fields.put(key + " done", String.valueOf(MDC.get("mooring.published_resource")));
              }

              @Override
              public void failed(String key, Exception cause, int failures, Duration retryAfter) {
                fields.put(key + " failed", String.valueOf(MDC.get("mooring.published_resource")));
              }
            });

    for (String key : List.of("fails", "works", "other")) {
      queue.add(key);
      await().until(() -> queue.status().running() == 0 && queue.status().waiting() == 0);
    }

    assertThat(fields)
        .containsEntry("fails works", "{mooring.published_resource=fails}")
        .containsEntry("fails failed", "fails")
        .containsEntry("works works", "{mooring.published_resource=works}")
        .containsEntry("works done", "works")
        .containsEntry("other works", "{}")
        .containsEntry("other done", "null");
  }

  private static Map<String, String> allFields() {
    return Objects.requireNonNullElse(MDC.getCopyOfContextMap(), Map.of());
  }

  private WorkQueue<String> gated(int workers, Semaphore gate) {
    return gated(workers, 1_000, gate);
  }

  private WorkQueue<String> gated(int workers, int capacity, Semaphore gate) {
    return started(
        options(workers).withCapacity(capacity),
        key -> {
          gate.acquire();
          worked.add(key);
          return ON_EVENT;
        },
        QueueListener.ofTenants(_ -> ""));
  }

  private static QueueOptions options(int workers) {
    return new QueueOptions(
        workers,
        QueueOptions.workers(workers).capacity(),
        new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10)),
        Tracing.OFF);
  }

  private WorkQueue<String> started(
      QueueOptions options, Reconciler<String> worker, QueueListener<String> listener) {
    WorkQueue<String> queue =
        WorkQueue.start("test", options, worker, listener, new QueueTiming(time, time, NEVER));
    queues.add(queue);
    return queue;
  }

  private record Telling(List<String> told) implements QueueListener<String> {
    @Override
    public void succeeded(String key, Duration took) {
      told.add(key + " done");
    }

    @Override
    public void failed(String key, Exception cause, int failures, Duration retryAfter) {
      told.add(key + " failed " + failures + ": " + cause.getMessage());
    }
  }
}
