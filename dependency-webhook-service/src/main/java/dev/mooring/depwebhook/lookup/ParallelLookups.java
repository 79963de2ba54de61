package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.reading.PendingRead;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/**
 * Runs several lookups in parallel and returns their results in order, so that the answer does not
 * depend on which was faster. A single lookup runs on the caller's thread. Used by one thread, and
 * to be closed.
 *
 * @param <W> the input of one lookup
 * @param <T> its result
 */
final class ParallelLookups<W, T> implements AutoCloseable {
  /** Started and not yet returned: the load on kcp at a time. */
  static final int AT_A_TIME = 8;

  private final Deque<W> waiting;
  private final Deque<PendingRead<T>> begun = new ArrayDeque<>();
  private final List<PendingRead<T>> all = new ArrayList<>();
  private final Deadline deadline;
  private final Function<W, T> look;

  /**
   * @param look also called on other threads, which {@link #close} interrupts
   */
  ParallelLookups(List<W> wanted, Deadline deadline, Function<W, T> look) {
    this.waiting = new ArrayDeque<>(wanted);
    this.deadline = deadline;
    this.look = look;
  }

  /**
   * The result of the next lookup.
   *
   * @throws RuntimeException of the lookup; a {@link dev.mooring.runtime.client.KubeFailure} if the
   *     deadline expires, or the caller is interrupted
   */
  T next() {
    if (begun.isEmpty() && waiting.size() == 1) {
      return look.apply(waiting.remove());
    }
    while (begun.size() < AT_A_TIME && !waiting.isEmpty()) {
      W one = waiting.remove();
      PendingRead<T> begins = PendingRead.begin("one of several lookups", () -> look.apply(one));
      begun.add(begins);
      all.add(begins);
    }
    return begun.remove().result(deadline);
  }

  /** Starts no other lookup; the results of started ones can still be taken. */
  void beginNoMore() {
    waiting.clear();
  }

  boolean hasNext() {
    return !begun.isEmpty() || !waiting.isEmpty();
  }

  /** Interrupts running lookups. */
  @Override
  public void close() {
    all.forEach(PendingRead::giveUp);
  }
}
