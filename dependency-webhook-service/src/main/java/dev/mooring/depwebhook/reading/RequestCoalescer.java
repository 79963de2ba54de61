package dev.mooring.depwebhook.reading;

import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.trace.WorkSpan;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Runs work once for all members with the same key at the same time. A member is served by work
 * that started after it joined: members that join during a run form the next batch. Thread-safe;
 * holds running and waiting members only.
 *
 * @param <K> the key
 * @param <M> a member
 */
final class RequestCoalescer<K, M> {
  /**
   * The work for one batch.
   *
   * @param <M> a member
   */
  @FunctionalInterface
  interface Work<M> {
    /**
     * Runs on its own thread, so that no member's interruption fails another member.
     *
     * @return completes the members, also with a failure; called once a new member starts a new
     *     batch, so that a member that returns at once does not wait for a pause
     */
    Runnable serve(List<M> batch);
  }

  /** For each key that is running or pausing: the members of its next batch. */
  private final Map<K, List<M>> waiting = new HashMap<>();

  private final UnaryOperator<Duration> rest;
  private final InstantSource clock;
  private final Scheduler scheduler;

  /** Without pauses. */
  RequestCoalescer() {
    this(
        _ -> Duration.ZERO,
        () -> Instant.EPOCH,
        (_, _) -> {
          throw new IllegalStateException("work without pauses needs no scheduler");
        });
  }

  /**
   * @param rest pause between two runs of a key with waiting members, by the duration of the first:
   *     many members that each join late would otherwise cause runs without a pause
   */
  RequestCoalescer(UnaryOperator<Duration> rest, InstantSource clock, Scheduler scheduler) {
    this.rest = rest;
    this.clock = clock;
    this.scheduler = scheduler;
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
    // Part of this member's trace; the members of a later batch are several.
    try {
      start(WorkSpan.carry(() -> carryOut(key, List.of(member), work)));
    } catch (RuntimeException | Error e) {
      // Without a run that would end, later members would wait for ever.
      goOn(key, clock.instant(), work);
      throw e;
    }
  }

  private void begin(K key, Work<M> work) {
    List<M> batch;
    synchronized (waiting) {
      batch = waiting.put(key, new ArrayList<>());
    }
    try {
      start(() -> carryOut(key, batch, work));
    } catch (RuntimeException | Error _) {
      // Without a thread of its own the run ends all the same, and its key goes on.
      carryOut(key, batch, work);
    }
  }

  private static void start(Runnable run) {
    Thread.ofVirtual().name("joined-read").start(run);
  }

  private void carryOut(K key, List<M> batch, Work<M> work) {
    Instant begun = clock.instant();
    Runnable complete = () -> {};
    try {
      complete = work.serve(batch);
    } finally {
      goOn(key, begun, work);
      complete.run();
    }
  }

  private void goOn(K key, Instant begun, Work<M> work) {
    if (isWaitedFor(key)) {
      Duration pause = rest.apply(Duration.between(begun, clock.instant()));
      if (pause.isPositive()) {
        scheduler.after(pause, () -> begin(key, work));
      } else {
        begin(key, work);
      }
    }
  }

  /** If not, the next member is served at once. */
  private boolean isWaitedFor(K key) {
    synchronized (waiting) {
      return !waiting.remove(key, List.of());
    }
  }
}
