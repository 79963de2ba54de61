package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.awaitSecret;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.refusal;
import static dev.mooring.acceptance.Objects.vpc;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.acceptance.SpanCollector.Received;
import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.Program;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The running services with a collector of traces. */
@ExtendWith(Mooring.class)
@Tag("full")
class TracingIT {
  private static final String ENDPOINT = "--management.opentelemetry.tracing.export.otlp.endpoint";
  private static final int QUEUE = 64;
  private static final int BATCH = 16;
  private static final ResourceType WEBHOOKS =
      new ResourceType("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");

  private static final SpanCollector COLLECTOR = new SpanCollector();
  private static Suite suite;

  private ClusterClient blue;
  private ClusterClient network;
  private ClusterClient service;

  @BeforeAll
  static void traceEverything(Mooring.Running running) {
    suite = running.suite();
    relaunch(
        Map.of(
            ENDPOINT,
            COLLECTOR.endpoint(),
            "--management.tracing.sampling.probability",
            "1",
            "--management.opentelemetry.tracing.export.schedule-delay",
            "100ms",
            "--management.opentelemetry.tracing.export.otlp.timeout",
            "60s",
            "--management.opentelemetry.tracing.export.max-queue-size",
            Integer.toString(QUEUE),
            "--management.opentelemetry.tracing.export.max-batch-size",
            Integer.toString(BATCH),
            "--logging.structured.format.console",
            "ecs"));
  }

  @AfterAll
  static void traceNothing() {
    relaunch(Map.of(ENDPOINT, "", "--logging.structured.format.console", ""));
    COLLECTOR.close();
  }

  private static void relaunch(Map<String, String> changes) {
    List<Program> traced = List.of(Program.SYNC_AGENT, Program.DEPENDENCY_WEBHOOK);
    for (Program program : traced) {
      suite.service(program).kill();
      suite.relaunch(program, changes);
    }
    traced.forEach(suite::awaitReady);
  }

  @BeforeEach
  void takePlaces(Mooring.Running running) {
    blue = running.stage().blue();
    network = running.stage().network();
    service = running.stage().serviceCluster();
  }

  @Test
  void anObjectsWayToItsCopyAndBackIsOneTrace() throws IOException {
    blue.client().create(Types.CERTIFICATES, certificate("traced", "a.example.org"));
    awaitReady(blue, "traced");
    KubeObject secret = awaitSecret(blue, "traced-tls");

    Received down = awaitSpan(about("traced").and(request("POST", "/certificates", "201")));
    Received up =
        awaitSpan(about("traced").and(request("PUT", "/certificates/{name}/status", "200")));

    assertThat(up.trace()).isEqualTo(down.trace());
    List<Received> passes =
        COLLECTOR.spans().stream()
            .filter(span -> span.trace().equals(down.trace()))
            .filter(span -> span.name().equals("sync-certificates"))
            .toList();
    assertThat(passes)
        .hasSizeGreaterThan(1)
        .allSatisfy(pass ->
            assertThat(pass.attributes())
                .containsEntry("mooring.name", "traced")
                .containsEntry("mooring.namespace", "default")
                .containsEntry("mooring.published_resource", "certificates")
                .containsKey("mooring.logical_cluster"));
    assertThat(passes).filteredOn(pass -> pass.parent().isEmpty()).hasSize(1);
    assertThat(passes).extracting(Received::id).contains(down.parent(), up.parent());
    assertThat(scrape(suite.ports().agent()))
        .anyMatch(line -> isExemplar(line, "mooring_sync_latency_seconds_bucket", down.trace()));
    assertThat(COLLECTOR.bodies())
        .contains("traced")
        .doesNotContain(Trees.textOrEmpty(secret.at("data", "tls.key")));
  }

  @Test
  void whatTheAgentLogsOfAnObjectHasTheTraceOfItsPass() throws IOException {
    String published = "certificates";
    patch(
        published,
        Map.of(
            "mutation",
            Map.of("spec", List.of(Map.of("delete", Map.of("path", "spec.dnsNames"))))));
    try {
      blue.client().create(Types.CERTIFICATES, certificate("untraceable", "a.example.org"));

      await()
          .untilAsserted(() ->
              assertThat(logs(Program.SYNC_AGENT))
                  .anyMatch(line ->
                      line.contains("untraceable")
                          && tracesOf("untraceable").stream()
                              .anyMatch(trace -> line.contains("\"traceId\":\"" + trace + "\""))));
    } finally {
      var removed = new HashMap<String, Object>();
      removed.put("mutation", null);
      patch(published, removed);
    }
  }

  private void patch(String published, Map<String, Object> spec) {
    service.client().patch(Types.PUBLISHED_RESOURCES, "", published, Map.of("spec", spec));
  }

  private static Set<String> tracesOf(String name) {
    return COLLECTOR.spans().stream()
        .filter(span -> name.equals(span.attributes().get("mooring.name")))
        .map(Received::trace)
        .collect(Collectors.toSet());
  }

  @Test
  void aReviewIsOneTraceWithItsDecisionAndWhatItRead() throws IOException {
    blue.client().create(Types.VPCS, vpc("reviewed"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("reviewer", "reviewed"));

    refusal(blue, Types.VPCS, "reviewed");

    Received review =
        awaitSpan(span ->
            span.name().equals("review")
                && "reviewed".equals(span.attributes().get("mooring.name"))
                && "denied".equals(span.attributes().get("mooring.decision")));
    assertThat(review.service()).isEqualTo("dependency-webhook");
    assertThat(review.attributes())
        .containsEntry("mooring.type", Types.VPCS.qualified())
        .containsKeys("mooring.review", "mooring.provider", "mooring.rule");
    awaitSpan(
        request("GET", "/virtualmachines", "200").and(span -> span.parent().equals(review.id())));
    assertThat(logs(Program.DEPENDENCY_WEBHOOK))
        .anyMatch(line ->
            line.contains("Denied") && line.contains("\"traceId\":\"" + review.trace() + "\""));
    assertThat(scrape(suite.ports().webhook()))
        .anyMatch(line ->
            isExemplar(line, "mooring_dependency_webhook_reviews_seconds_bucket", review.trace()));
  }

  @Test
  void aReviewJoinsTheTraceOfItsRequest() throws Exception {
    String trace = "0af7651916cd43dd8448eb211c80319c";
    byte[] authority =
        Files.readAllBytes(
            Path.of(
                suite.argument(
                    Program.DEPENDENCY_CONTROLLER,
                    "--mooring.dependency-controller.webhook-ca-bundle-path")));
    try (HttpClient kcp =
        HttpClient.newBuilder().sslContext(HttpProbe.contextsTrusting(authority).get()).build()) {
      HttpResponse<String> answer =
          kcp.send(
              HttpRequest.newBuilder(reviewUrl())
                  .header("traceparent", "00-" + trace + "-b7ad6b7169203331-01")
                  .POST(HttpRequest.BodyPublishers.ofString("{}"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(200);
    }
    Received review = awaitSpan(span -> span.trace().equals(trace));
    assertThat(review.parent()).isEqualTo("b7ad6b7169203331");
    assertThat(review.attributes()).containsEntry("mooring.decision", "malformed");
    assertThat(review.failed()).isTrue();
  }

  /** Where kcp sends the reviews of deletions in the network provider's workspace. */
  private URI reviewUrl() {
    return network.client().list(WEBHOOKS, ListQuery.ALL).items().stream()
        .flatMap(configuration -> configuration.list("webhooks").stream())
        .map(webhook -> Trees.textOrEmpty(Trees.at(webhook, "clientConfig", "url")))
        .map(URI::create)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void answersReviewsAndKeepsFewSpansWhileTheCollectorHangs() {
    blue.client().create(Types.VPCS, vpc("unobserved"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("unobserver", "unobserved"));
    COLLECTOR.hang();
    try {
      for (int deletion = 0; deletion < 2 * QUEUE; deletion++) {
        assertThat(refusal(blue, Types.VPCS, "unobserved").kind())
            .isEqualTo(KubeFailure.Kind.FORBIDDEN);
      }
    } finally {
      int received = COLLECTOR.spans().size();
      COLLECTOR.goOn();
      suite.service(Program.DEPENDENCY_WEBHOOK).close();
      // What waited, and what was on its way.
      assertThat(COLLECTOR.spans().size() - received).isLessThanOrEqualTo(QUEUE + 2 * BATCH);
      suite.relaunch(Program.DEPENDENCY_WEBHOOK);
      suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
    }
  }

  private static Received awaitSpan(Predicate<Received> condition) {
    await().untilAsserted(() -> assertThat(COLLECTOR.spans()).anyMatch(condition));
    return COLLECTOR.spans().stream().filter(condition).findFirst().orElseThrow();
  }

  /** A span of a trace about this object. */
  private static Predicate<Received> about(String name) {
    return span ->
        COLLECTOR.spans().stream()
            .anyMatch(other ->
                other.trace().equals(span.trace())
                    && name.equals(other.attributes().get("mooring.name")));
  }

  private static Predicate<Received> request(String method, String path, String status) {
    return span ->
        method.equals(span.attributes().get("http.request.method"))
            && span.attributes().getOrDefault("url.template", "").endsWith(path)
            && status.equals(span.attributes().get("http.response.status_code"));
  }

  private static List<String> logs(Program program) throws IOException {
    return Files.readAllLines(suite.service(program).log());
  }

  private static List<String> scrape(int port) throws IOException {
    try (HttpClient prometheus = HttpClient.newHttpClient()) {
      return prometheus
          .send(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:" + port + "/actuator/prometheus"))
                  .header("Accept", "application/openmetrics-text;version=1.0.0")
                  .build(),
              HttpResponse.BodyHandlers.ofLines())
          .body()
          .toList();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static boolean isExemplar(String line, String series, String trace) {
    return line.startsWith(series) && line.contains("trace_id=\"" + trace + "\"");
  }
}
