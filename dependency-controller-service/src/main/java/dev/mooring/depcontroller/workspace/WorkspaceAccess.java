package dev.mooring.depcontroller.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.EndpointOverrides;
import java.net.URI;

/**
 * Creates clients of workspaces.
 *
 * @param baseHost URL of kcp without a path; empty for that of the connection
 * @param endpoints by which hosts the endpoints of exports are reached
 */
public record WorkspaceAccess(KubeConnection kcp, String baseHost, EndpointOverrides endpoints) {
  /** With the endpoints that kcp publishes. */
  public WorkspaceAccess(KubeConnection kcp, String baseHost) {
    this(kcp, baseHost, EndpointOverrides.NONE);
  }

  public KubeClient client(WorkspacePath path) {
    return baseHost.isEmpty() ? kcp.client(path) : at(path.value());
  }

  public KubeClient client(LogicalCluster cluster) {
    return baseHost.isEmpty() ? kcp.client(cluster) : at(cluster.name());
  }

  private KubeClient at(String cluster) {
    return kcp.client(URI.create(baseHost + "/clusters/" + cluster));
  }
}
