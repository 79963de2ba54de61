package dev.mooring.depwebhook.eligibility;

import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a server has a logical cluster, and whether it is being deleted. To a user in {@code
 * system:masters} a shard answers for a logical cluster of another shard as for an empty one: every
 * list is empty, every object is not found. Only the LogicalCluster object, which every logical
 * cluster has, tells them apart.
 */
public final class WorkspaceExistence {
  private static final Logger LOG = LoggerFactory.getLogger(WorkspaceExistence.class);
  private static final ResourceType LOGICAL_CLUSTERS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");

  private static final String ABSENT =
      "the server does not have this logical cluster: the kubeconfig may lead to another shard";

  private WorkspaceExistence() {}

  /** The LogicalCluster object. */
  public static Optional<KubeObject> find(KubeReader workspace) {
    return workspace.find(LOGICAL_CLUSTERS, "", "cluster");
  }

  /**
   * @param cluster of the workspace, for the log
   */
  static WorkspaceState state(KubeReader workspace, LogicalCluster cluster) {
    try {
      return find(workspace)
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

  /**
   * To be called before an empty answer of this workspace counts as absence. A user who may not
   * read the LogicalCluster is not in {@code system:masters}, and would have been refused every
   * other answer of a logical cluster that the server does not have.
   *
   * @throws KubeFailure of kind {@link KubeFailure.Kind#UNAVAILABLE} if the server does not have
   *     the logical cluster; any other if the server does not say
   */
  public static void require(KubeReader workspace) {
    try {
      if (find(workspace).isEmpty()) {
        throw KubeFailure.unavailable(ABSENT, null);
      }
    } catch (KubeFailure failure) {
      if (failure.kind() != KubeFailure.Kind.FORBIDDEN) {
        throw failure;
      }
    }
  }
}
