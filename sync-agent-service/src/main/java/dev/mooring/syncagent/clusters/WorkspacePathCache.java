package dev.mooring.syncagent.clusters;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.export.MultiShardLister;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Paths of workspaces, asked for once each: a logical cluster's path never changes. Thread-safe.
 */
public final class WorkspacePathCache {
  public static final ResourceType LOGICAL_CLUSTERS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");

  /** A few hundred bytes each; past that, all are asked for again. */
  private static final int PATHS_MAX = 100_000;

  private final ConcurrentHashMap<LogicalCluster, String> paths = new ConcurrentHashMap<>();

  /**
   * The path of the workspace that holds this object; empty if kcp does not say one, or the
   * consumer does not let the agent see it. Throws {@link KubeFailure} if it cannot be asked for.
   */
  public Optional<String> pathFor(MultiShardLister sources, ObjectKey key) {
    String known = paths.get(key.cluster());
    if (known != null) {
      return Optional.of(known);
    }
    if (paths.size() >= PATHS_MAX) {
      paths.clear();
    }
    Optional<String> path = sources.clientFor(key).flatMap(WorkspacePathCache::ask);
    path.ifPresent(value -> paths.put(key.cluster(), value));
    return path;
  }

  /** The path if it was asked for before. */
  public Optional<String> known(LogicalCluster cluster) {
    return Optional.ofNullable(paths.get(cluster));
  }

  private static Optional<String> ask(KubeClient workspace) {
    try {
      return workspace
          .find(LOGICAL_CLUSTERS, "", "cluster")
          .flatMap(cluster -> cluster.annotation("kcp.io/path"));
    } catch (KubeFailure e) {
      if (e.kind() == KubeFailure.Kind.FORBIDDEN) {
        return Optional.empty(); // the claim is not accepted
      }
      throw e;
    }
  }
}
