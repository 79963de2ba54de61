package dev.mooring.depwebhook.reading;

import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Has work be done once for all who want the same of it at the same time. Whoever joins is served
 * by work that began after that: those who join while some is under way are the next batch,
 * together. Thread-safe; who is being served or waits is all it holds.
 *
 * @param <K> says what is the same
 * @param <M> who is served
 */
final class Batches<K, M> {
  /**
   * What is done for a batch.
   *
   * @param <M> who is served
   */
  @FunctionalInterface
  interface Work<M> {
    /**
     * On a thread of its own: no member's interruption is another's failure.
     *
     * @return tells the members, of failures too, where that was not done yet; called once whoever
     *     joins begins anew, so that a member who comes back at once does not wait for a rest
     */
    Runnable serve(List<M> batch);
  }

  /** Of all keys with work under way, or at rest after it: who came since that began. */
  private final Map<K, List<M>> waiting = new HashMap<>();

  private final UnaryOperator<Duration> rest;
  private final InstantSource clock;
  private final Scheduler scheduler;

  /** Work on a key begins as soon as a member waits for it. */
  Batches() {
    this(
        _ -> Duration.ZERO,
        () -> Instant.EPOCH,
        (_, _) -> {
          throw new IllegalStateException("work without pauses needs no scheduler");
        });
  }

  /**
   * @param rest from the end of work on a key to the next on it, if somebody waits by then, and
   *     however many do, by how long the work took: else many members, each too late for the one
   *     before, would have it done without a break
   */
  Batches(UnaryOperator<Duration> rest, InstantSource clock, Scheduler scheduler) {
    this.rest = Objects.requireNonNull(rest, "rest");
    this.clock = Objects.requireNonNull(clock, "clock");
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
  }

  /**
   * @param work throws nothing
   */
  void join(K key, M member, Work<M> work) {
    synchronized (waiting) {
      List<M> next = waiting.get(key);
      if (next != null) {
        next.add(member);
        return;
      }
      waiting.put(key, new ArrayList<>());
    }
    begin(key, List.of(member), work);
  }

  private void begin(K key, List<M> batch, Work<M> work) {
    Thread.ofVirtual().name("joined-read").start(() -> carryOut(key, batch, work));
  }

  private void carryOut(K key, List<M> batch, Work<M> work) {
    Instant begun = clock.instant();
    Runnable told = () -> {};
    try {
      told = work.serve(batch);
    } finally {
      goOn(key, begun, work);
      told.run();
    }
  }

  private void goOn(K key, Instant begun, Work<M> work) {
    if (isWaitedFor(key)) {
      Duration pause = rest.apply(Duration.between(begun, clock.instant()));
      if (pause.isPositive()) {
        scheduler.after(pause, () -> begin(key, next(key), work));
      } else {
        begin(key, next(key), work);
      }
    }
  }

  /** If not, the next to come is served at once. */
  private boolean isWaitedFor(K key) {
    synchronized (waiting) {
      boolean waitedFor = !waiting.get(key).isEmpty();
      if (!waitedFor) {
        waiting.remove(key);
      }
      return waitedFor;
    }
  }

  private List<M> next(K key) {
    synchronized (waiting) {
      return waiting.put(key, new ArrayList<>());
    }
  }
}
