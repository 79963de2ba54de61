package dev.mooring.depwebhook.rules;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workspace path of a logical cluster, as its {@code LogicalCluster} object says. A workspace
 * is never renamed, so an answer stays true for the life of the cluster and is kept. Thread-safe.
 */
public final class ProviderPaths {
  private static final Logger LOG = LoggerFactory.getLogger(ProviderPaths.class);
  private static final ResourceType LOGICAL_CLUSTERS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");
  private static final String PATH_ANNOTATION = "kcp.io/path";

  /** More providers than any installation has; any client of the port may name clusters. */
  static final int KEPT_MAX = 10_000;

  private final Workspaces<KubeReader> workspaces;
  private final Cache<LogicalCluster, WorkspacePath> known =
      CacheBuilder.newBuilder().maximumSize(KEPT_MAX).build();

  public ProviderPaths(Workspaces<KubeReader> workspaces) {
    this.workspaces = workspaces;
  }

  /** Empty if it cannot be read; then no rule may be left out on account of the provider. */
  public Optional<WorkspacePath> of(LogicalCluster provider) {
    WorkspacePath path = known.getIfPresent(provider);
    if (path != null) {
      return Optional.of(path);
    }
    Optional<WorkspacePath> read = read(provider);
    read.ifPresent(found -> known.put(provider, found));
    return read;
  }

  /** The path if it was read before. */
  public Optional<WorkspacePath> known(LogicalCluster provider) {
    return Optional.ofNullable(known.getIfPresent(provider));
  }

  private Optional<WorkspacePath> read(LogicalCluster provider) {
    try {
      return workspaces
          .in(provider)
          .find(LOGICAL_CLUSTERS, "", "cluster")
          .flatMap(object -> object.annotation(PATH_ANNOTATION))
          .map(WorkspacePath::new);
    } catch (KubeFailure | IllegalArgumentException e) {
      LOG.warn(
          "The path of provider {} is unknown, so rules about every provider apply: {}",
          provider,
          e.getMessage());
      return Optional.empty();
    }
  }
}
