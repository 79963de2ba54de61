package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.Landscape.VPCS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.access.RightsMonitor;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** The webhook by a user who has the shipped rights in some places and not in others. */
class RightsIT {
  private static final Path KCP = Path.of("../charts/mooring/kcp");

  @TempDir Path directory;

  private Landscape land;

  @BeforeEach
  void starts() throws Exception {
    land = Landscape.onSandbox(directory, 1);
    land.usualRules();
  }

  @AfterEach
  void ends() {
    land.close();
  }

  @Test
  void aWebhookWithRightsInTheDependencyWorkspaceOnlyIsNotReadyAndSaysWhatToGrant()
      throws Exception {
    ConfigurableApplicationContext service = land.serveBy(asTheWebhook(), 2);
    RightsMonitor monitor = service.getBean(RightsMonitor.class);
    monitor.review();
    monitor.review();

    HttpResponse<String> readiness = readiness(service);
    assertThat(readiness.statusCode()).isEqualTo(503);
    assertThat(readiness.body())
        .contains(
            "let user \\\"mooring:dependency-webhook\\\" access / (the workspace itself) in logical"
                + " cluster "
                + land.workspaces.cluster(land.compute)
                + " (charts/mooring/kcp/rbac-shard-system-admin.yaml, on every shard)");

    land.workspaces.create(land.compute, KCP.resolve("rbac-shard-system-admin.yaml"));
    monitor.review();

    assertThat(monitor.findings().all()).isEmpty();
    assertThat(readiness(service).statusCode()).isEqualTo(200);
  }

  @Test
  void aRightThatIsMissingAtOneProviderLeavesTheWebhookReady() throws Exception {
    land.workspaces.create(land.compute, KCP.resolve("rbac-shard-system-admin.yaml"));
    land.rule(land.network, "peers", "", VPCS, "{path: .spec.peer.name}", "vpcs");
    ConfigurableApplicationContext service = land.serveBy(asTheWebhook(), 3);
    RightsMonitor monitor = service.getBean(RightsMonitor.class);
    monitor.review();
    monitor.review();

    assertThat(monitor.findings().byProvider())
        .containsOnlyKeys("logical cluster " + land.workspaces.cluster(land.network));
    assertThat(readiness(service).statusCode()).isEqualTo(200);
  }

  private static HttpResponse<String> readiness(ConfigurableApplicationContext service)
      throws Exception {
    String port = service.getEnvironment().getProperty("local.management.port");
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness"))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private Path asTheWebhook() {
    return land.workspaces.kubeconfigFor(
        land.dependencies, directory.resolve("webhook.kubeconfig"), Landscape.USER);
  }
}
