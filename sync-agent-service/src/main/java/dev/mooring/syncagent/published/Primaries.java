package dev.mooring.syncagent.published;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.util.Map;
import java.util.Optional;

/**
 * A primary object on both sides: what names of related objects are made from.
 *
 * @param cluster of the consumer
 * @param path of the consumer's workspace; empty unless workspace paths are enabled
 */
public record Primaries(
    LogicalCluster cluster, Optional<String> path, KubeObject inKcp, KubeObject onService) {

  public KubeObject on(Side side) {
    return switch (side) {
      case KCP -> inKcp;
      case SERVICE -> onService;
    };
  }

  /** What every template about related objects can read. */
  Map<String, Object> clusterFields() {
    return Map.of("ClusterName", cluster.name(), "ClusterPath", path.orElse(""));
  }

  /** {@code LocalObject} is the one on the service cluster, {@code RemoteObject} the one in kcp. */
  Map<String, Object> bothObjects() {
    return Map.of("LocalObject", onService.tree(), "RemoteObject", inKcp.tree());
  }
}
