package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.lookup.LookupMethod;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.access.RightsMonitor;
import dev.mooring.runtime.client.DeleteCondition;
import io.micrometer.core.instrument.MeterRegistry;
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

/**
 * The webhook in profile {@code prod}, with a management port, by a user who has the shipped rights
 * in some places and not in others.
 */
class RightsIT {
  private static final Path KCP = Path.of("../charts/mooring/kcp");

  @TempDir Path directory;

  private WebhookEnvironment land;

  @BeforeEach
  void starts() throws Exception {
    land = WebhookEnvironment.onSandbox(directory, 1);
    land.usualRules();
  }

  @AfterEach
  void ends() {
    land.close();
  }

  @Test
  void aWebhookWithRightsInTheDependencyWorkspaceOnlyIsNotReadyAndSaysWhatToGrant()
      throws Exception {
    ConfigurableApplicationContext service = land.serveBy(asTheWebhook(), "prod", 2);
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

    land.workspaces.create(land.compute, WebhookEnvironment.shardManifest());
    monitor.review();

    assertThat(monitor.findings().all()).isEmpty();
    await().until(() -> readiness(service).statusCode() == 200);
  }

  /** What lets a webhook ask, write events and keep to its namespace is no reason to stop it. */
  @Test
  void namesTheFeaturesThatLackARightAndIsReady() throws Exception {
    land.workspaces.create(
        land.compute,
        WebhookEnvironment.shardManifest().replace("resources: [events]", "resources: [nothing]"));
    land.workspaces
        .client(land.dependencies)
        .delete(
            new ResourceType("rbac.authorization.k8s.io", "v1", "rolebindings"),
            "dependency-system",
            "dependency-webhook",
            new DeleteCondition.Unconditional());
    ConfigurableApplicationContext service = land.serveBy(asTheWebhook(), "prod", 2);
    RightsMonitor monitor = service.getBean(RightsMonitor.class);
    monitor.review();
    monitor.review();

    assertThat(monitor.findings().all())
        .containsExactly(
            "let user \"mooring:dependency-webhook\" get secrets dependency-webhook-url-keys in"
                + " namespace dependency-system in the workspace of APIExport"
                + " dependencies.opendefense.cloud"
                + " (charts/mooring/kcp/rbac-dependency-workspace.yaml)",
            "let user \"mooring:dependency-webhook\" create events, patch events in logical cluster "
                + land.workspaces.cluster(land.compute)
                + " (charts/mooring/kcp/rbac-shard-system-admin.yaml, on every shard)");
    assertThat(service.getBean(StatusEndpoint.class).status())
        .containsEntry("rightsMissing", monitor.findings().all());
    await().until(() -> readiness(service).statusCode() == 200);
    assertThat(readiness(service).body())
        .contains("create events, patch events in logical cluster");
  }

  @Test
  void aRightThatIsMissingAtOneProviderLeavesTheWebhookReady() throws Exception {
    land.workspaces.create(land.compute, WebhookEnvironment.shardManifest());
    land.rule(land.network, "peers", "", VPCS, "{path: .spec.peer.name}", "vpcs");
    ConfigurableApplicationContext service = land.serveBy(asTheWebhook(), "prod", 3);
    RightsMonitor monitor = service.getBean(RightsMonitor.class);
    monitor.review();
    monitor.review();

    assertThat(monitor.findings().byProvider())
        .containsOnlyKeys("logical cluster " + land.workspaces.cluster(land.network));
    await().until(() -> readiness(service).statusCode() == 200);
  }

  @Test
  void isReadyOnceItHasEvaluatedReviewsOfItsOwn() throws Exception {
    ConfigurableApplicationContext service = land.serve(2);
    await().until(() -> readiness(service).statusCode() == 200);

    assertThat(readiness(service).body()).contains("\"firstReviews\"", "\"timeouts\"");
    assertThat(health(service, "liveness").body()).contains("\"stuckReviews\"");
    assertThat(WebhookEnvironment.lookups(service, LookupMethod.LIST)).isPositive();
    MeterRegistry meters = service.getBean(MeterRegistry.class);
    assertThat(meters.get("http.server.requests").tag("status", "404").timer().count())
        .as("requests to its own port")
        .isEqualTo(OwnPort.CONNECTIONS);
    assertThat(meters.find("mooring.dependency.webhook.decisions"))
        .as("its own reviews count for no rule")
        .satisfies(decisions ->
            assertThat(decisions.counters()).allMatch(counter -> counter.count() == 0));
  }

  private static HttpResponse<String> readiness(ConfigurableApplicationContext service)
      throws Exception {
    return health(service, "readiness");
  }

  private static HttpResponse<String> health(ConfigurableApplicationContext service, String group)
      throws Exception {
    String port = service.getEnvironment().getProperty("local.management.port");
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + port + "/actuator/health/" + group))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private Path asTheWebhook() {
    return land.workspaces.kubeconfigFor(
        land.dependencies, directory.resolve("webhook.kubeconfig"), WebhookEnvironment.USER);
  }
}
