package dev.mooring.depcontroller.workspace;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What is followed in some workspaces, each opened once, and closed when nobody wants it any more.
 * Nothing is opened after {@link #close}. Thread-safe; whoever found something may go on reading it
 * after it was closed.
 *
 * @param <P> by which a workspace is found
 * @param <F> what is followed there
 */
final class WorkspaceInformers<P extends Comparable<P>, F> implements AutoCloseable {
  private final Function<P, F> opening;
  private final Consumer<F> closing;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<P, F> followed = new TreeMap<>();
  private boolean closed;

  WorkspaceInformers(Function<P, F> opening, Consumer<F> closing) {
    this.opening = opening;
    this.closing = closing;
  }

  /** From now on these are followed, and no others. */
  void follow(Collection<P> wanted) {
    var all = new TreeSet<>(wanted);
    lock.lock();
    try {
      if (closed) {
        return;
      }
      for (P place : List.copyOf(followed.keySet())) {
        if (!all.contains(place)) {
          closing.accept(followed.remove(place));
        }
      }
      for (P place : all) {
        followed.computeIfAbsent(place, opening);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Empty if it is not followed. */
  Optional<F> find(P place) {
    lock.lock();
    try {
      return Optional.ofNullable(followed.get(place));
    } finally {
      lock.unlock();
    }
  }

  /** What is followed now. */
  SortedMap<P, F> all() {
    lock.lock();
    try {
      return new TreeMap<>(followed);
    } finally {
      lock.unlock();
    }
  }

  /** For operators: each workspace in a few words. */
  Map<String, String> describe(BiFunction<P, F, String> wording) {
    lock.lock();
    try {
      var described = new TreeMap<String, String>();
      followed.forEach(
          (place, what) -> described.put(place.toString(), wording.apply(place, what)));
      return described;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      followed.values().forEach(closing);
      followed.clear();
    } finally {
      lock.unlock();
    }
  }
}
