package dev.mooring.depwebhook.lookup;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.access.CallerName;
import dev.mooring.runtime.client.KubeFailure;

/**
 * Says which right the webhook lacks where a consumer's objects could not be read, and by which
 * name kcp knows the webhook there: a ServiceAccount outside its own workspace is {@code
 * system:kcp:serviceaccount:<cluster>:<namespace>:<name>}.
 */
public final class MissingRight {
  private MissingRight() {}

  /**
   * What the server said, and what to do where it permits too little.
   *
   * @param verbs that are needed, such as {@code get and list}
   */
  public static String explained(
      KubeFailure failure, String verbs, ResourceType type, LogicalCluster cluster) {
    return switch (failure.kind()) {
      case FORBIDDEN, UNAUTHORIZED ->
          ("%s; let %s %s %s in logical cluster %s (usually by a ClusterRoleBinding in every"
                  + " shard's system:admin)")
              .formatted(
                  failure.getMessage(),
                  CallerName.in(failure).orElse("the webhook's user"),
                  verbs,
                  type.qualified(),
                  cluster);
      case NOT_FOUND, NOT_SERVED, ALREADY_EXISTS, CONFLICT, INVALID, GONE, TOO_LARGE, UNAVAILABLE ->
          failure.getMessage();
    };
  }
}
