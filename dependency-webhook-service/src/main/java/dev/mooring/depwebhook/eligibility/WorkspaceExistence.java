package dev.mooring.depwebhook.eligibility;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.util.Optional;

/**
 * Whether a server has a logical cluster at all. To a user in {@code system:masters} a shard
 * answers for a logical cluster of another shard as for an empty one: every list is empty, every
 * object is not found. Only the LogicalCluster object, which every logical cluster has, tells them
 * apart.
 */
public final class WorkspaceExistence {
  private static final ResourceType LOGICAL_CLUSTERS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");

  private static final String ABSENT =
      "the server does not have this logical cluster: the kubeconfig may lead to another shard";

  private WorkspaceExistence() {}

  /** Of one logical cluster. */
  static Optional<KubeObject> find(KubeReader workspace) {
    return workspace.find(LOGICAL_CLUSTERS, "", "cluster");
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
        throw new KubeFailure(KubeFailure.Kind.UNAVAILABLE, 404, "", ABSENT, null, null);
      }
    } catch (KubeFailure failure) {
      if (failure.kind() != KubeFailure.Kind.FORBIDDEN) {
        throw failure;
      }
    }
  }
}
