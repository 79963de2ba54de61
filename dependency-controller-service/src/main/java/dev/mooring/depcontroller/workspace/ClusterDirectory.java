package dev.mooring.depcontroller.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.InformerSpec;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * The objects of one type in some logical clusters. A workspace that cannot be read makes its
 * objects unreadable, never absent. Thread-safe.
 *
 * @param <R> what is known about one object
 */
abstract class ClusterDirectory<R> implements AutoCloseable {
  final WorkspaceInformers<LogicalCluster> informers = new WorkspaceInformers<>(this::open);
  private final WorkspaceAccess workspaces;
  private final InformerSpec spec;
  private final String kinds;
  private final String counted;
  private final Runnable changed;

  /**
   * @param kinds of the objects, such as {@code APIExports}
   * @param counted the objects behind their number, such as {@code exports}
   * @param changed runs when the reading of an object may have changed; must not block
   */
  ClusterDirectory(
      WorkspaceAccess workspaces,
      InformerSpec spec,
      String kinds,
      String counted,
      Runnable changed) {
    this.workspaces = workspaces;
    this.spec = spec;
    this.kinds = kinds;
    this.counted = counted;
    this.changed = changed;
  }

  abstract R reading(Optional<KubeObject> object);

  /**
   * @param why what could not be read, and what to do
   */
  abstract R unreadable(String why);

  /** Watches the objects of these workspaces, and of no others. */
  public void follow(Collection<LogicalCluster> clusters) {
    informers.follow(clusters);
  }

  /** Empty before the first list. */
  public Optional<R> find(LogicalCluster cluster, String name) {
    return informers
        .find(cluster)
        .flatMap(objects ->
            objects
                .readFailure()
                .map(failure -> unreadable(explained(cluster, failure)))
                .or(() ->
                    objects.isListed()
                        ? Optional.of(reading(objects.find(name)))
                        : Optional.empty()));
  }

  /** For operators: each workspace and whether its objects can be read. */
  public Map<String, String> describe() {
    return informers.describe((cluster, objects) ->
        objects
            .readFailure()
            .map(failure -> explained(cluster, failure))
            .orElseGet(() -> objects.isListed() ? objects.size() + " " + counted : ""));
  }

  @Override
  public void close() {
    informers.close();
  }

  private String explained(LogicalCluster cluster, KubeFailure failure) {
    String what =
        "the %s in logical cluster %s cannot be read: %s"
            .formatted(kinds, cluster, failure.getMessage());
    return failure.isDenied()
        ? ("%s; there, let the controller's user get, list and watch %s and bind it to ClusterRole"
                + " system:kcp:workspace:access")
            .formatted(what, spec.type().qualified())
        : what;
  }

  private WorkspaceInformer open(LogicalCluster cluster) {
    return WorkspaceInformer.start(workspaces.client(cluster), spec, this::changed, changed);
  }

  private void changed(Change change) {
    boolean matters =
        switch (change) {
          case Change.Added(_, _), Change.Removed(_, _) -> true;
          case Change.Updated(_, KubeObject before, KubeObject after) ->
              !reading(Optional.of(before)).equals(reading(Optional.of(after)));
        };
    if (matters) {
      changed.run();
    }
  }
}
