package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.testing.ConsoleContract;
import dev.mooring.depwebhook.DependencyWebhookApplication;
import dev.mooring.model.json.KubeJson;
import dev.mooring.runtime.testing.LogLines;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.fault.Fault;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** The webhook's management endpoints; the dependency workspace knows their callers. */
@ExtendWith(OutputCaptureExtension.class)
class ManagementIT extends ConsoleContract {
  @TempDir private static Path directory;

  private final Map<Port, ConfigurableApplicationContext> webhooks = new EnumMap<>(Port.class);
  private ConfigurableApplicationContext withoutTokens;
  private WebhookEnvironment land;

  @BeforeAll
  void starts() throws Exception {
    Path users = Files.writeString(directory.resolve("users.csv"), USERS);
    land =
        WebhookEnvironment.on(
            TestWorkspaces.onSandbox(
                ServerOptions.in(directory.resolve("kcp")).withPort(0).withTokenFile(users)),
            directory,
            1);
    land.usualRules();
    land.workspaces.create(
        land.dependencies, Path.of("../charts/mooring/kcp/rbac-endpoint-callers.yaml"));
    land.workspaces.create(land.dependencies, BINDINGS);
    TestCertificate.forLocalhost(directory.resolve("tls"));
    int shared = freePort();
    webhooks.put(
        Port.SHARED, start("--server.port=" + shared, "--management.server.port=" + shared));
    webhooks.put(Port.SEPARATE, start("--server.port=0", "--management.server.port=0"));
    withoutTokens =
        start(
            "--server.port=0",
            "--management.server.port=0",
            "--mooring.dependency-webhook.endpoint-auth=false");
    awaitReady();
  }

  @AfterAll
  void stops() {
    webhooks.values().forEach(ConfigurableApplicationContext::close);
    withoutTokens.close();
    land.close();
  }

  /** kcp answers an administrator that nothing is there, and other users 403. */
  @ParameterizedTest
  @EnumSource
  void explainsNothingInALogicalClusterThatDoesNotExist(Port port) throws Exception {
    HttpResponse<String> answer =
        send(
            port,
            "GET",
            "/actuator/blockers?cluster="
                + unknownItem()
                + "&resource=vpcs.network.example.com"
                + "&namespace=default&name=main",
            "readers-token");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
    assertThat(answer.body()).contains("there is no logical cluster " + unknownItem());
  }

  @ParameterizedTest
  @EnumSource
  void theConsoleDrawsRulesAndExplainsADeletion(Port port) throws Exception {
    String name = "drawn-" + port.name().toLowerCase(Locale.ROOT);
    land.create(VPCS, "default", name, "");
    land.create(MACHINES, "default", "vm-" + name, name);

    assertThat(send(port, "GET", "/console/rules", "readers-token").body())
        .contains("vpcs.network.example.com of " + land.network, "<svg", "Deny");
    String deletion =
        "/console/deletions?resource=vpcs.network.example.com&namespace=default&cluster="
            + land.workspaces.cluster(land.consumer);
    assertThat(send(port, "GET", deletion + "&name=" + name, "readers-token").body())
        .contains("The deletion would be denied.", "vm-" + name, item() + "/");
    assertThat(
            send(
                    port,
                    "GET",
                    deletion.replaceAll("cluster=.*", "cluster=" + land.consumer) + "&name=" + name,
                    "readers-token")
                .body())
        .as("by the path of its workspace")
        .contains("The deletion would be denied.", "vm-" + name);
    assertThat(
            send(
                    port,
                    "GET",
                    deletion.replaceAll("cluster=.*", "cluster=root:nowhere") + "&name=" + name,
                    "readers-token")
                .body())
        .contains("workspace root:nowhere", "Attention");
    assertThat(send(port, "GET", deletion + "&name=absent", "readers-token").body())
        .contains("absent", "Attention")
        .doesNotContain("would be");
    assertThat(
            send(port, "GET", "/console/deletions?cluster=NO&resource=&name=x", "readers-token")
                .statusCode())
        .isEqualTo(200);
    assertThat(send(port, "GET", "/console/deletions", "strangers-token").statusCode())
        .isEqualTo(403);
  }

  @Test
  void theLogLineOfADecisionNamesItsTargetAndRule(CapturedOutput output) throws Exception {
    land.create(VPCS, "default", "logged", "");
    land.create(MACHINES, "default", "vm-logged", "logged");
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "logged", "alice"));
    String path = "/validate/" + land.workspaces.cluster(land.network);
    Map<String, Object> target =
        Map.of(
            "review", "review-of-logged",
            "provider", land.workspaces.cluster(land.network).name(),
            "logical_cluster", land.workspaces.cluster(land.consumer).name(),
            "type", "vpcs.network.example.com",
            "namespace", "default",
            "name", "logged");

    land.post(webhooks.get(Port.SEPARATE), path, review);

    // A thread of the log writes the lines.
    await()
        .untilAsserted(() ->
            assertThat(LogLines.fields(output.getOut(), "Denied "))
                .singleElement()
                .satisfies(fields ->
                    assertThat(fields)
                        .containsAllEntriesOf(target)
                        .hasEntrySatisfying(
                            "rule", rule -> assertThat(rule).asString().startsWith(item() + "/"))));

    land.workspaces.sandbox().faults().inject(Fault.UNAVAILABLE, 1);
    try {
      land.post(webhooks.get(Port.SEPARATE), path, review);
    } finally {
      land.workspaces.sandbox().faults().reset();
    }
    await()
        .untilAsserted(() ->
            assertThat(LogLines.fields(output.getOut(), "dependents could not be checked"))
                .containsExactly(target));
  }

  /** Any client that reaches the port can send these, and so fill the log. */
  @Test
  void manyRequestsWithoutAKeyLeaveAtMostOneLine(CapturedOutput output) throws Exception {
    ConfigurableApplicationContext webhook = webhooks.get(Port.SEPARATE);
    byte[] review = denied(webhook, "first", output);
    int before = output.getOut().length();
    URI validate =
        URI.create("https://127.0.0.1:" + WebhookEnvironment.port(webhook) + "/validate");
    try (HttpClient client = land.client()) {
      for (int i = 0; i < 5; i++) {
        client.send(
            HttpRequest.newBuilder(validate).build(), HttpResponse.BodyHandlers.discarding());
        partly(webhook, review).close();
        try (SlowRequest slow = partly(webhook, review)) {
          await().pollInterval(Duration.ofMillis(100)).until(() -> !slow.trickle());
        }
      }
    }
    denied(webhook, "last", output);

    assertThat(LogLines.byThreads(output.getOut().substring(before), "tomcat-handler-"))
        .hasSizeLessThanOrEqualTo(1);
  }

  /** A review that was denied, once the log says so. */
  private byte[] denied(ConfigurableApplicationContext webhook, String name, CapturedOutput output)
      throws Exception {
    land.create(VPCS, "default", name, "");
    land.create(MACHINES, "default", "vm-" + name, name);
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", name, "alice"));
    land.post(webhook, "/validate/" + land.workspaces.cluster(land.network), review);
    await()
        .until(() ->
            LogLines.fields(output.getOut(), "Denied ").stream()
                .anyMatch(fields -> name.equals(fields.get("name"))));
    return review;
  }

  /** Sends a review and announces more. */
  private static SlowRequest partly(ConfigurableApplicationContext webhook, byte[] review)
      throws Exception {
    return SlowRequest.partly(
        WebhookEnvironment.port(webhook),
        directory.resolve("tls/ca.crt"),
        "/validate?timeout=1s",
        100_000,
        review);
  }

  @Test
  void servesManagementOverTls() throws Exception {
    try (ConfigurableApplicationContext webhook =
            start(
                "--server.port=0",
                "--management.server.port=0",
                "--management.server.ssl.enabled=true",
                "--management.server.ssl.bundle=webhook");
        HttpClient http = client()) {
      URI health =
          URI.create(
              "https://127.0.0.1:"
                  + webhook.getEnvironment().getProperty("local.management.port")
                  + "/actuator/health/liveness");

      assertThat(
              http.send(
                      HttpRequest.newBuilder(health).build(), HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(200);
    }
  }

  private ConfigurableApplicationContext start(String... more) throws Exception {
    var arguments = new ArrayList<>(ARGUMENTS);
    arguments.addAll(
        List.of(
            "--tls-cert-dir=" + directory.resolve("tls"),
            "--mooring.dependency-webhook.drain=0s",
            "--kubeconfig="
                + land.workspaces.kubeconfigFor(
                    land.dependencies, directory.resolve("kubeconfig"))));
    arguments.addAll(List.of(more));
    return new SpringApplicationBuilder(DependencyWebhookApplication.class)
        .run(arguments.toArray(String[]::new));
  }

  /** Both properties have to name it. */
  private static int freePort() throws Exception {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Override
  protected URI management(Port port) {
    ConfigurableApplicationContext webhook = webhooks.get(port);
    return switch (port) {
      case SHARED -> URI.create("https://127.0.0.1:" + WebhookEnvironment.port(webhook));
      case SEPARATE ->
          URI.create(
              "http://127.0.0.1:" + webhook.getEnvironment().getProperty("local.management.port"));
    };
  }

  @Override
  protected URI managementWithoutTokens() {
    return URI.create(
        "http://127.0.0.1:" + withoutTokens.getEnvironment().getProperty("local.management.port"));
  }

  @Override
  protected Port probes() {
    return Port.SEPARATE;
  }

  @Override
  protected HttpClient client() throws Exception {
    return land.client();
  }

  @Override
  protected String item() {
    return land.workspaces.cluster(land.compute).name();
  }

  @Override
  protected String unknownItem() {
    return "nowhere";
  }

  @Override
  protected List<String> otherGuarded() {
    return List.of(
        "blockers?cluster="
            + item()
            + "&resource=vpcs.network.example.com&namespace=default&name=x");
  }

  @Override
  protected List<String> readinessDetails() {
    return List.of("\"rules\"", "\"lastEventAgeSeconds\"", "\"webhook-serving\"");
  }
}
