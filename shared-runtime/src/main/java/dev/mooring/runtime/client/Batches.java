package dev.mooring.runtime.client;

import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Has work be done once for all who want the same of it at the same time. Whoever joins is served
 * by work that began after that: those who join while some is under way are the next batch,
 * together. Thread-safe; who is being served or waits, and what rests, is all it holds.
 *
 * @param <K> says what is the same
 * @param <M> who is served
 */
final class Batches<K, M> {
  /** Of all keys with work under way, or at rest after it: who came since that began. */
  private final Map<K, List<M>> waiting = new HashMap<>();

  private final Pace pace;

  /** Carries out work on a key, and what is to come once more of it may be done. */
  @FunctionalInterface
  private interface Pace {
    void carryOut(Runnable work, Runnable then);
  }

  /** Work on a key begins as soon as somebody waits for it. */
  Batches() {
    this.pace = Batches::atOnce;
  }

  /**
   * @param rest from the end of work on a key to the next on it, however many wait, by how long the
   *     work took: else many members, each too late for the one before, would have it done without
   *     a break
   */
  Batches(UnaryOperator<Duration> rest, InstantSource clock, Scheduler scheduler) {
    Objects.requireNonNull(rest, "rest");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(scheduler, "scheduler");
    this.pace =
        (work, then) -> {
          Instant begun = clock.instant();
          atOnce(
              work,
              () -> scheduler.after(rest.apply(Duration.between(begun, clock.instant())), then));
        };
  }

  private static void atOnce(Runnable work, Runnable then) {
    try {
      work.run();
    } finally {
      then.run();
    }
  }

  /**
   * @param work serves a batch, failures included, and throws nothing; on a thread of its own: no
   *     member's interruption is another's failure
   */
  void join(K key, M member, Consumer<List<M>> work) {
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

  private void begin(K key, List<M> batch, Consumer<List<M>> work) {
    Thread.ofVirtual()
        .name("joined-read")
        .start(() -> pace.carryOut(() -> work.accept(batch), () -> goOn(key, work)));
  }

  private void goOn(K key, Consumer<List<M>> work) {
    List<M> next = next(key);
    if (!next.isEmpty()) {
      begin(key, next, work);
    }
  }

  private List<M> next(K key) {
    synchronized (waiting) {
      List<M> next = waiting.remove(key);
      if (!next.isEmpty()) {
        waiting.put(key, new ArrayList<>());
      }
      return next;
    }
  }
}
