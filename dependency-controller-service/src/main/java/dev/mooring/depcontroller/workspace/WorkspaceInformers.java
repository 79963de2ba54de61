package dev.mooring.depcontroller.workspace;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
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
  private final TreeMap<P, WorkspaceInformer> informers = new TreeMap<>();
  private boolean closed;

  WorkspaceInformers(Function<P, WorkspaceInformer> opening) {
    this.opening = opening;
  }

  /** Opens the missing ones, and closes those of other workspaces. */
  synchronized void follow(Collection<P> wanted) {
    var all = new TreeSet<>(wanted);
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
  }

  /** Empty if that workspace has none. */
  synchronized Optional<WorkspaceInformer> find(P key) {
    return Optional.ofNullable(informers.get(key));
  }

  synchronized SortedMap<P, WorkspaceInformer> all() {
    return new TreeMap<>(informers);
  }

  /** For operators: each workspace in a few words. */
  synchronized Map<String, String> describe(BiFunction<P, WorkspaceInformer, String> wording) {
    var described = new TreeMap<String, String>();
    informers.forEach((key, what) -> described.put(key.toString(), wording.apply(key, what)));
    return described;
  }

  @Override
  public synchronized void close() {
    closed = true;
    informers.values().forEach(WorkspaceInformer::close);
    informers.clear();
  }
}
