package dev.mooring.depcontroller.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeConnection;
import java.net.URI;
import java.util.Objects;

/**
 * The way into workspaces.
 *
 * @param baseHost URL of kcp without a path; empty for that of the connection
 */
public record WorkspaceAccess(KubeConnection kcp, String baseHost) {
  public WorkspaceAccess {
    Objects.requireNonNull(kcp, "kcp");
    Objects.requireNonNull(baseHost, "baseHost");
  }

  KubeClient client(WorkspacePath path) {
    return baseHost.isEmpty() ? kcp.client(path) : at(path.value());
  }

  KubeClient client(LogicalCluster cluster) {
    return baseHost.isEmpty() ? kcp.client(cluster) : at(cluster.name());
  }

  private KubeClient at(String cluster) {
    return kcp.client(URI.create(baseHost + "/clusters/" + cluster));
  }
}
