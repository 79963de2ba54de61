package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.refusal;
import static dev.mooring.acceptance.Objects.vpc;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.harness.Suite;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.ListQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The chart's alerts and dashboards in a Prometheus that scrapes the running services: every query
 * has an answer, and alerts fire for what they are about. Alerts fire at once here, without their
 * {@code for}, unless it is an hour.
 */
@ExtendWith(Mooring.class)
@Tag("full")
class MonitoringIT {
  private static final Pattern SELECTOR = Pattern.compile("[a-z_:]*\\{[^}]*}");

  @TempDir private static Path directory;
  private static PrometheusServer prometheus;

  private Suite suite;
  private ClusterClient compute;

  @BeforeAll
  static void start(Mooring.Running running) {
    assumeTrue(PrometheusServer.isInstalled(), "skipped: no prometheus (it is not on PATH)");
    PortPlan ports = running.suite().ports();
    prometheus =
        new PrometheusServer(
            directory,
            Map.of(
                "global",
                Map.of("scrape_interval", "1s", "evaluation_interval", "1s"),
                "scrape_configs",
                List.of(
                    job("sync-agent", ports.agent()),
                    job("dependency-controller", ports.controller()),
                    job("dependency-webhook", ports.webhook())),
                "rule_files",
                List.of(ChartMetrics.write(ChartMetrics.atOnce(), directory))));
    ClusterClient blue = running.stage().blue();
    blue.client().create(Types.CERTIFICATES, certificate("monitored", "a.example.org"));
    awaitReady(blue, "monitored");
    blue.client().create(Types.VPCS, vpc("monitored"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("monitored-user", "monitored"));
    refusal(blue, Types.VPCS, "monitored");
  }

  @BeforeEach
  void take(Mooring.Running running) {
    suite = running.suite();
    compute = running.stage().compute();
  }

  /** As the Prometheus operator labels what it scrapes for the chart's ServiceMonitor. */
  private static Map<String, Object> job(String service, int port) {
    return Map.of(
        "job_name",
        Chart.RELEASE + "-" + service + "-management",
        "metrics_path",
        "/actuator/prometheus",
        "static_configs",
        List.of(
            Map.of(
                "targets",
                List.of("127.0.0.1:" + port),
                "labels",
                Map.of("namespace", Chart.NAMESPACE, "pod", service + "-0"))));
  }

  @AfterAll
  static void stop() {
    if (prometheus != null) {
      prometheus.close();
    }
  }

  @Test
  void answersEveryQueryOfTheDashboards() {
    Map<String, String> queries = ChartMetrics.dashboardQueries();

    await().untilAsserted(() -> assertThat(unanswered(queries)).isEmpty());
    assertThat(queries).hasSizeGreaterThan(40);
  }

  @Test
  void answersEverySelectorOfTheAlerts() {
    var selectors = new TreeMap<String, String>();
    ChartMetrics.alerts(ChartMetrics.atOnce())
        .forEach((name, alert) ->
            SELECTOR
                .matcher(Trees.text(alert, "expr"))
                .results()
                .forEach(
                    selector -> selectors.put(name + ": " + selector.group(), selector.group())));

    await().untilAsserted(() -> assertThat(unanswered(selectors)).isEmpty());
    assertThat(selectors).hasSizeGreaterThan(25);
  }

  /** Queries without a sample, by what they are for. */
  private static Map<String, String> unanswered(Map<String, String> queries) {
    var empty = new LinkedHashMap<String, String>();
    queries.forEach((name, query) -> {
      if (prometheus.query(query).isEmpty()) {
        empty.put(name, query);
      }
    });
    return empty;
  }

  @Test
  void evaluatesEveryAlertAndFiresNoneWhileAllServicesWork() {
    await().untilAsserted(() -> assertThat(prometheus.evaluations().values()).containsOnly("ok"));
    assertThat(prometheus.evaluations().keySet())
        .isEqualTo(ChartMetrics.alerts(ChartMetrics.atOnce()).keySet());
    await().untilAsserted(() -> assertThat(prometheus.firing()).isEmpty());
  }

  @Test
  void firesForAServiceThatStopped() {
    suite.service(Program.SYNC_AGENT).kill();

    awaitFiring("MooringServiceDown");
    suite.relaunch(Program.SYNC_AGENT);
    suite.awaitReady(Program.SYNC_AGENT);
    awaitQuiet("MooringServiceDown");
  }

  @Test
  void firesForAKcpThatDoesNotAnswer() throws IOException {
    Path before =
        Path.of(suite.argument(Program.SYNC_AGENT, "--mooring.sync-agent.kcp-kubeconfig"));
    Path dead =
        Files.writeString(
            directory.resolve("dead.kubeconfig"),
            Files.readString(before).replaceAll("(server: [\"']?https://[^:]+):[0-9]+", "$1:1"));
    suite.service(Program.SYNC_AGENT).kill();
    suite.relaunch(
        Program.SYNC_AGENT, Map.of("--mooring.sync-agent.kcp-kubeconfig", dead.toString()));

    awaitFiring("MooringServiceNotReady");
    awaitFiring("MooringServerUnavailable");
    suite.service(Program.SYNC_AGENT).kill();
    suite.relaunch(
        Program.SYNC_AGENT, Map.of("--mooring.sync-agent.kcp-kubeconfig", before.toString()));
    suite.awaitReady(Program.SYNC_AGENT);
    awaitQuiet("MooringServiceNotReady");
  }

  @Test
  void firesForARuleWithATypo() {
    Map<String, Object> spec =
        Trees.thawMap(
            Trees.mapOrEmpty(
                compute
                    .client()
                    .list(Types.DEPENDENCY_RULES, ListQuery.ALL)
                    .items()
                    .getFirst()
                    .at("spec")));
    spec.put("when", "object.spec.state = 'Running'");
    KubeObject rule =
        KubeObject.of(
            Map.of(
                "apiVersion",
                Types.DEPENDENCY_RULES.apiVersion(),
                "kind",
                "DependencyRule",
                "metadata",
                Map.of("name", "typo"),
                "spec",
                spec));
    compute.client().create(Types.DEPENDENCY_RULES, rule);
    try {
      awaitFiring("MooringRuleInvalid");
    } finally {
      compute
          .client()
          .delete(Types.DEPENDENCY_RULES, "", "typo", new DeleteCondition.Unconditional());
    }
    awaitQuiet("MooringRuleInvalid");
  }

  @Test
  void firesForACertificateThatExpiresSoon() {
    String option = "--mooring.dependency-webhook.tls-cert-dir";
    String before = suite.argument(Program.DEPENDENCY_WEBHOOK, option);
    ServingCertificate expiring =
        ServingCertificate.in(
            directory.resolve("expiring"), Instant.now().minus(Duration.ofDays(363)));
    suite.service(Program.DEPENDENCY_WEBHOOK).kill();
    suite.relaunch(Program.DEPENDENCY_WEBHOOK, Map.of(option, expiring.directory().toString()));

    awaitFiring("MooringCertificateExpiring");
    suite.service(Program.DEPENDENCY_WEBHOOK).kill();
    suite.relaunch(Program.DEPENDENCY_WEBHOOK, Map.of(option, before));
    suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
    awaitQuiet("MooringCertificateExpiring");
  }

  private static void awaitFiring(String alert) {
    await(alert + " fires").untilAsserted(() -> assertThat(prometheus.firing()).contains(alert));
  }

  private static void awaitQuiet(String alert) {
    await(alert + " ends")
        .untilAsserted(() -> assertThat(prometheus.firing()).doesNotContain(alert));
  }
}
