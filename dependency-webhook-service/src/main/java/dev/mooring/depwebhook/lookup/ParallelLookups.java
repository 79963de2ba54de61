package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.reading.PendingRead;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/**
 * Looks at several things at a time and gives what came of it in their order, so that what follows
 * from it does not depend on which was faster: of which ones looking has begun follows from how
 * many answers were taken. A thing alone is looked at by the caller's own thread. Used by one
 * thread, and to be closed.
 *
 * @param <W> what is looked at
 * @param <T> what comes of it
 */
final class ParallelLookups<W, T> implements AutoCloseable {
  /** Looked at and not yet taken: a round trip for so many, and what kcp is asked at once. */
  static final int AT_A_TIME = 8;

  private final Deque<W> waiting;
  private final Deque<PendingRead<T>> begun = new ArrayDeque<>();
  private final List<PendingRead<T>> all = new ArrayList<>();
  private final Function<W, T> look;

  /**
   * @param look also called by other threads; those are interrupted if it is of no use any more
   */
  ParallelLookups(List<W> wanted, Function<W, T> look) {
    this.waiting = new ArrayDeque<>(wanted);
    this.look = look;
  }

  /**
   * What came of the next one.
   *
   * @throws RuntimeException what looking threw; a {@link dev.mooring.runtime.client.KubeFailure}
   *     if the caller is interrupted
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
    return begun.remove().result();
  }

  /** Begins with no other; those under way can still be taken. */
  void beginNoMore() {
    waiting.clear();
  }

  boolean hasNext() {
    return !begun.isEmpty() || !waiting.isEmpty();
  }

  /** Ends what is under way. */
  @Override
  public void close() {
    all.forEach(PendingRead::giveUp);
  }
}
