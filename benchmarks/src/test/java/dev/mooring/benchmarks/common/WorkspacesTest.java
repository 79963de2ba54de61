package dev.mooring.benchmarks.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspacesTest {
  @TempDir private Path directory;

  @Test
  void deletesItsWorkspacesOnAServerThatRunsOn() {
    assertThat(remaining(Workspaces.End.DELETED)).isEmpty();
  }

  @Test
  void leavesThemToAServerThatEndsWithTheRun() {
    assertThat(remaining(Workspaces.End.LEFT)).hasSize(1);
  }

  /** Names of the run's workspaces that are there, and not about to go, after it. */
  private List<String> remaining(Workspaces.End end) {
    try (var kcp = KcpSandbox.start(ServerOptions.in(directory))) {
      Path kubeconfig = kcp.kubeconfigFile();
      String made;
      try (var workspaces = new Workspaces(kubeconfig, directory, end)) {
        made = workspaces.create("one").path().name();
      }
      try (var connection =
          KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("test"))) {
        return connection.client(WorkspacePath.ROOT).find(Workspaces.TYPE, "", made).stream()
            .filter(workspace -> !workspace.deleting())
            .map(KubeObject::name)
            .toList();
      }
    }
  }
}
