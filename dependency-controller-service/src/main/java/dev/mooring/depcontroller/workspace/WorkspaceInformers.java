package dev.mooring.depcontroller.workspace;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One informer for each of some workspaces. A user may go on reading one after it was closed. None
 * is opened after {@link #close}. Thread-safe.
 *
 * @param <P> the key of a workspace
 */
final class WorkspaceInformers<P extends Comparable<P>> implements AutoCloseable {
  private final Function<P, WorkspaceInformer> opening;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<P, WorkspaceInformer> informers = new TreeMap<>();
  private boolean closed;

  WorkspaceInformers(Function<P, WorkspaceInformer> opening) {
    this.opening = opening;
  }

  /** Opens the missing ones, and closes those of other workspaces. */
  void follow(Collection<P> wanted) {
    var all = new TreeSet<>(wanted);
    lock.lock();
    try {
      if (closed) {
        return;
      }
      informers
          .entrySet()
          .removeIf(informer -> {
            boolean unwanted = !all.contains(informer.getKey());
            if (unwanted) {
              informer.getValue().close();
            }
            return unwanted;
          });
      for (P key : all) {
        informers.computeIfAbsent(key, opening);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Empty if that workspace has none. */
  Optional<WorkspaceInformer> find(P key) {
    lock.lock();
    try {
      return Optional.ofNullable(informers.get(key));
    } finally {
      lock.unlock();
    }
  }

  SortedMap<P, WorkspaceInformer> all() {
    lock.lock();
    try {
      return new TreeMap<>(informers);
    } finally {
      lock.unlock();
    }
  }

  /** For operators: each workspace in a few words. */
  Map<String, String> describe(BiFunction<P, WorkspaceInformer, String> wording) {
    lock.lock();
    try {
      var described = new TreeMap<String, String>();
      informers.forEach((key, what) -> described.put(key.toString(), wording.apply(key, what)));
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
      informers.values().forEach(WorkspaceInformer::close);
      informers.clear();
    } finally {
      lock.unlock();
    }
  }
}
