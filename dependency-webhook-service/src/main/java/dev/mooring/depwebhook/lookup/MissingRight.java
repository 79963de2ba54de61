package dev.mooring.depwebhook.lookup;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.WebhookContract;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeFailure;

/**
 * Words a denied read of a consumer's objects: the missing permission, and the webhook's user name
 * there. kcp knows a ServiceAccount outside its own workspace as {@code
 * system:kcp:serviceaccount:<cluster>:<namespace>:<name>}.
 */
public final class MissingRight {
  private MissingRight() {}

  /**
   * The server's message and, after a denial, the permission to grant.
   *
   * @param verbs that are needed, such as {@code get and list}
   */
  public static String explained(
      KubeFailure failure, String verbs, ResourceType type, LogicalCluster cluster) {
    return failure.isDenied()
        ? "%s; let %s %s %s in logical cluster %s: the operator of the webhook has to %s"
            .formatted(
                failure.getMessage(),
                failure.deniedUser().orElse("the webhook's user"),
                verbs,
                type.qualified(),
                cluster,
                WebhookContract.grant(GroupResource.of(type)))
        : failure.getMessage();
  }
}
