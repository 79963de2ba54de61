package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workspaces come back, from a snapshot or from a data directory. */
class SnapshotIT {
  private static final String WORKSPACES = "/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces";
  private static final String SETTINGS = "/clusters/root:team/api/v1/namespaces/default/configmaps";

  @TempDir private Path root;

  @Test
  void restoresWorkspacesAsTheyWere() {
    try (KcpSandbox sandbox = KcpSandbox.start(ServerOptions.in(root))) {
      SandboxClient kcp = SandboxClient.of(sandbox, "kcp-admin");
      createWorkspace(kcp, "team");
      assertThat(kcp.post(SETTINGS, settings("a")).status()).isEqualTo(201);
      KubeObject before = kcp.get(SETTINGS + "/a").body();
      KcpSandbox.Snapshot snapshot = sandbox.snapshot();

      assertThat(kcp.delete(WORKSPACES + "/team").status()).isEqualTo(200);
      await().until(() -> kcp.get(WORKSPACES + "/team").status() == 404);
      createWorkspace(kcp, "other");

      sandbox.restore(snapshot);

      assertThat(kcp.get(WORKSPACES + "/other").status()).isEqualTo(404);
      assertThat(phase(kcp, "team")).isEqualTo("Ready");
      KubeObject after = kcp.get(SETTINGS + "/a").body();
      assertThat(after.uid()).isEqualTo(before.uid());
      assertThat(after.map("data")).isEqualTo(before.map("data"));
      // The restored workspace works: content, its deletion, and its name.
      assertThat(kcp.post(SETTINGS, settings("b")).status()).isEqualTo(201);
      assertThat(kcp.delete(WORKSPACES + "/team").status()).isEqualTo(200);
      await().until(() -> kcp.get(WORKSPACES + "/team").status() == 404);
      createWorkspace(kcp, "team");
      assertThat(kcp.get(SETTINGS + "/a").status()).isEqualTo(404);
    }
  }

  @Test
  void goesOnWhereItsDataDirectoryEnds(@TempDir Path data) throws IOException {
    int port = freePort();
    ServerOptions options = ServerOptions.in(root).withData(data, port);
    KubeObject before;
    try (KcpSandbox sandbox = KcpSandbox.start(options)) {
      SandboxClient kcp = SandboxClient.of(sandbox, "kcp-admin");
      createWorkspace(kcp, "team");
      before = kcp.post(SETTINGS, settings("a")).body();
    }

    try (KcpSandbox sandbox = KcpSandbox.start(options)) {
      SandboxClient kcp = SandboxClient.of(sandbox, "kcp-admin");
      assertThat(phase(kcp, "team")).isEqualTo("Ready");
      assertThat(kcp.get(SETTINGS + "/a").body()).isEqualTo(before);
      assertThat(
              kcp.get(SETTINGS + "?resourceVersion=2&resourceVersionMatch=Exact&limit=1").status())
          .isEqualTo(410);
      createWorkspace(kcp, "another");
      assertThat(kcp.delete(WORKSPACES + "/team").status()).isEqualTo(200);
      await().until(() -> kcp.get(WORKSPACES + "/team").status() == 404);
    }

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> KcpSandbox.start(ServerOptions.in(root).withData(data, freePort())))
        .withMessageContaining("has the objects of https://127.0.0.1:" + port);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void createWorkspace(SandboxClient kcp, String name) {
    var workspace =
        Map.<String, Object>of(
            "apiVersion", "tenancy.kcp.io/v1alpha1",
            "kind", "Workspace",
            "metadata", Map.of("name", name));
    assertThat(kcp.post(WORKSPACES, workspace).status()).isEqualTo(201);
    await().until(() -> phase(kcp, name).equals("Ready"));
  }

  private static String phase(SandboxClient kcp, String name) {
    return kcp.get(WORKSPACES + "/" + name).body().text("status", "phase");
  }

  private static Map<String, Object> settings(String name) {
    return Map.of(
        "apiVersion",
        "v1",
        "kind",
        "ConfigMap",
        "metadata",
        Map.of("name", name),
        "data",
        Map.of("colour", "red"));
  }
}
