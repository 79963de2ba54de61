package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspacesIT {
  private static final String WORKSPACES = "/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces";
  private static final int CLIENTS = 8;
  private static final int EACH = 25;

  @Test
  void becomeReadyEveryOneOfMany(@TempDir Path root) throws Exception {
    try (KcpSandbox sandbox = KcpSandbox.start(ServerOptions.in(root));
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
      var running = new ArrayList<Future<?>>();
      for (int client = 0; client < CLIENTS; client++) {
        String prefix = "c" + client + "-";
        running.add(
            clients.submit(() -> {
              SandboxClient kcp = SandboxClient.of(sandbox, "kcp-admin");
              for (int i = 0; i < EACH; i++) {
                assertThat(kcp.post(WORKSPACES, workspace(prefix + i)).status()).isEqualTo(201);
              }
            }));
      }
      for (Future<?> client : running) {
        client.get();
      }

      SandboxClient kcp = SandboxClient.of(sandbox, "kcp-admin");
      await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(200))
          .untilAsserted(() -> assertThat(phases(kcp)).isEqualTo(Map.of("Ready", CLIENTS * EACH)));
    }
  }

  private static Map<String, Object> workspace(String name) {
    return Map.of(
        "apiVersion", "tenancy.kcp.io/v1alpha1",
        "kind", "Workspace",
        "metadata", Map.of("name", name));
  }

  private static Map<String, Integer> phases(SandboxClient kcp) {
    List<Object> items = kcp.get(WORKSPACES).body().list("items");
    var phases = new TreeMap<String, Integer>();
    for (Object item : items) {
      phases.merge(KubeObject.of(Trees.mapOrEmpty(item)).text("status", "phase"), 1, Integer::sum);
    }
    return phases;
  }
}
