package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.DependentLister.Listing;
import dev.mooring.depwebhook.lookup.SearchResults.SearchResult;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.reading.PendingRead;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Searches dependent types in parallel and returns the results in order, so that the answer does
 * not depend on which was faster. Used by one thread, and to be closed.
 */
final class ParallelLookups implements AutoCloseable {
  /** Started and not yet returned: the load on kcp at a time. */
  static final int AT_A_TIME = 8;

  private final DependentLookup lookup;
  private final Deque<Listing> waiting;
  private final Deque<PendingRead<SearchResult>> begun = new ArrayDeque<>();
  private final List<PendingRead<SearchResult>> all = new ArrayList<>();

  /**
   * @param lookup called on other threads, which {@link #close} and the deadline interrupt
   */
  ParallelLookups(DependentLookup lookup, List<Listing> wanted) {
    this.lookup = lookup;
    this.waiting = new ArrayDeque<>(wanted);
  }

  /**
   * The result of the next search.
   *
   * @throws RuntimeException of the search; a {@link dev.mooring.runtime.client.KubeFailure} if the
   *     deadline expires, or the caller is interrupted
   */
  SearchResult next(Deadline deadline) {
    deadline.requireTime();
    while (begun.size() < AT_A_TIME && !waiting.isEmpty()) {
      Listing one = waiting.remove();
      PendingRead<SearchResult> begins =
          PendingRead.begin(one.search().description(), () -> lookup.search(one));
      begun.add(begins);
      all.add(begins);
    }
    return begun.remove().result(deadline);
  }

  /** Starts no other search; the results of started ones can still be taken. */
  void beginNoMore() {
    waiting.clear();
  }

  boolean hasNext() {
    return !begun.isEmpty() || !waiting.isEmpty();
  }

  /** Interrupts running searches. */
  @Override
  public void close() {
    all.forEach(PendingRead::giveUp);
  }
}
