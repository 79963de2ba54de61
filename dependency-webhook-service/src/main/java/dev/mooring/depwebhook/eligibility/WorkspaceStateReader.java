package dev.mooring.depwebhook.eligibility;

import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a workspace is being deleted, as its LogicalCluster says at that moment. */
final class WorkspaceStateReader {
  private static final Logger LOG = LoggerFactory.getLogger(WorkspaceStateReader.class);

  private final Function<LogicalCluster, KubeReader> workspaces;

  WorkspaceStateReader(Function<LogicalCluster, KubeReader> workspaces) {
    this.workspaces = workspaces;
  }

  WorkspaceState of(LogicalCluster cluster) {
    try {
      return WorkspaceExistence.find(workspaces.apply(cluster))
          .map(object -> object.deleting() ? WorkspaceState.TERMINATING : WorkspaceState.ACTIVE)
          .orElse(WorkspaceState.ABSENT);
    } catch (KubeFailure failure) {
      LOG.warn(
          "The state of workspace {} is unknown; denials block it if it is terminating: {}; let"
              + " the webhook's user get logicalclusters.core.kcp.io there",
          cluster,
          failure.getMessage());
      return failure.kind() == KubeFailure.Kind.FORBIDDEN
          ? WorkspaceState.FORBIDDEN
          : WorkspaceState.UNKNOWN;
    }
  }
}
