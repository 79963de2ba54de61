package dev.mooring.benchmarks.common;

import dev.mooring.harness.HarnessFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Requests of several clients. The first one that fails ends the run. */
public final class Load {
  /** As many as the figures of the Go programs were taken with. */
  public static final int CLIENTS = 8;

  private Load() {}

  /** One of several that are sent at a steady rate. */
  public interface Request {
    /**
     * @param due the nanoTime at which it was to be sent
     */
    void send(int number, long due);
  }

  /** {@value #CLIENTS} clients work off a list together; returns when all is done. */
  public static <T> void share(List<T> work, Consumer<T> each) {
    share(0, work.size(), i -> each.accept(work.get(i)));
  }

  /** As {@link #share(List, Consumer)}, of the numbers up to {@code end}. */
  public static void share(int begin, int end, IntConsumer each) {
    share(CLIENTS, begin, end, each);
  }

  /** All at once. */
  public static <T> void together(List<T> work, Consumer<T> each) {
    share(work.size(), 0, work.size(), i -> each.accept(work.get(i)));
  }

  private static void share(int clients, int begin, int end, IntConsumer each) {
    var failures = new ConcurrentLinkedQueue<Throwable>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int client = begin; client < begin + clients; client++) {
        IntStream numbers = IntStream.iterate(client, i -> i < end, i -> i + clients);
        executor.execute(() ->
            attempt(() -> numbers.takeWhile(_ -> failures.isEmpty()).forEach(each), failures));
      }
    }
    requireNone(failures);
  }

  /** Sent when they are due, whether or not earlier ones are answered; returns when all are. */
  public static void steadily(int perSecond, int count, Request request) {
    var failures = new ConcurrentLinkedQueue<Throwable>();
    long begin = System.nanoTime();
    long pause = Duration.ofSeconds(1).dividedBy(perSecond).toNanos();
    try (var senders = Executors.newVirtualThreadPerTaskExecutor();
        var timer = Executors.newScheduledThreadPool(1, Thread.ofVirtual().factory())) {
      for (int i = 0; i < count; i++) {
        int number = i;
        long due = begin + i * pause;
        Runnable send =
            () -> senders.execute(() -> attempt(() -> request.send(number, due), failures));
        timer.schedule(send, due - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    }
    requireNone(failures);
  }

  private static void attempt(Runnable work, ConcurrentLinkedQueue<Throwable> failures) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      failures.add(e);
    }
  }

  private static void requireNone(ConcurrentLinkedQueue<Throwable> failures) {
    if (!failures.isEmpty()) {
      throw new HarnessFailure(
          "%d requests of the benchmark's own failed, first: %s"
              .formatted(failures.size(), failures.peek()),
          failures.peek());
    }
  }
}
