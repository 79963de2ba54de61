package dev.mooring.sandbox.api.request;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.status.ApiFailure;

/** From the segment after {@code /clusters/} to the logical cluster it means. Thread-safe. */
public interface LogicalClusterResolver {
  /**
   * @param segment a path ({@code root:a:b}), a logical cluster's name, or a name followed by
   *     children; never {@code *}
   * @throws ApiFailure 400 for what cannot be a path, 404 for a path that leads nowhere
   */
  LogicalCluster resolve(String segment);

  /**
   * Whether a path leads to a workspace, or through one, whose logical cluster is out of reach.
   *
   * @param segment as for {@link #resolve}
   */
  boolean isUnavailable(String segment);

  /** Whether the cluster was put to rest: it serves only its LogicalCluster and OpenAPI. */
  boolean isInactive(LogicalCluster cluster);
}
