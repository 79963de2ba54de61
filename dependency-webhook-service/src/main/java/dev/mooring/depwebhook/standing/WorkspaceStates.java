package dev.mooring.depwebhook.standing;

import dev.mooring.depwebhook.standing.decide.WorkspaceState;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a workspace is being deleted, as its LogicalCluster says at that moment. */
final class WorkspaceStates {
  private static final Logger LOG = LoggerFactory.getLogger(WorkspaceStates.class);
  private static final ResourceType LOGICAL_CLUSTERS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");

  private final Function<LogicalCluster, KubeReader> workspaces;

  WorkspaceStates(Function<LogicalCluster, KubeReader> workspaces) {
    this.workspaces = workspaces;
  }

  WorkspaceState of(LogicalCluster cluster) {
    try {
      return workspaces
          .apply(cluster)
          .find(LOGICAL_CLUSTERS, "", "cluster")
          .map(object -> object.deleting() ? WorkspaceState.TERMINATING : WorkspaceState.STANDING)
          .orElse(WorkspaceState.UNKNOWN);
    } catch (KubeFailure failure) {
      LOG.warn(
          "Cannot tell whether workspace {} is being deleted; if it is, refusals hold it up: {}; let"
              + " the webhook's user get logicalclusters.core.kcp.io there",
          cluster,
          failure.getMessage());
      return WorkspaceState.UNKNOWN;
    }
  }
}
