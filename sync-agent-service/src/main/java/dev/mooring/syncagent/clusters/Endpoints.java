package dev.mooring.syncagent.clusters;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.http.KubeConnection;
import java.net.URI;

/** Clients for an APIExport's virtual workspace. */
final class Endpoints {
  private Endpoints() {}

  /** Lists and watches only. */
  static KubeClient everyWorkspace(KubeConnection kcp, URI endpoint) {
    return kcp.client(below(endpoint, "*"));
  }

  static KubeClient workspace(KubeConnection kcp, URI endpoint, LogicalCluster cluster) {
    return kcp.client(below(endpoint, cluster.name()));
  }

  private static URI below(URI endpoint, String cluster) {
    String base = endpoint.toString();
    return URI.create(
        (base.endsWith("/") ? base.substring(0, base.length() - 1) : base)
            + "/clusters/"
            + cluster);
  }
}
