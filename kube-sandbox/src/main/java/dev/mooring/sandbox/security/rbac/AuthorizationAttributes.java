package dev.mooring.sandbox.security.rbac;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Optional;

/**
 * What an authorizer is asked about.
 *
 * @param cluster empty for a request to all logical clusters, or to none
 * @param verb lower case
 */
public record AuthorizationAttributes(
    UserInfo user, Optional<LogicalCluster> cluster, String verb, Target target) {
  /** What the verb is done to. */
  public sealed interface Target {}

  /**
   * An object or a collection.
   *
   * @param subresource empty if none
   * @param namespace empty if none
   * @param name empty if none
   */
  public record Resource(
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name)
      implements Target {
    /** {@code deployments/scale}, as rules name it. */
    String combined() {
      return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
  }

  /**
   * A URL that is no object.
   *
   * @param path without the prefix of the logical cluster
   */
  public record Url(String path) implements Target {}
}
