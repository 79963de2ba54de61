package dev.mooring.acceptance;

import static dev.mooring.acceptance.Chart.named;
import static dev.mooring.acceptance.Chart.ofKind;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The alerts and dashboards that the chart renders, and the runbooks. */
class ChartMetricsTest {
  private static final Pattern RUNBOOK = Pattern.compile("(?m)^### (Mooring\\w+)$");

  @Test
  void rendersTheAlertsOfEachServiceForItsOwnScrapes() {
    List<KubeObject> objects = ChartMetrics.render("metrics: {rules: {labels: {release: prom}}}");

    assertThat(ofKind(objects, "PrometheusRule")).hasSize(3);
    KubeObject agents = named(objects, "PrometheusRule", "sync-agent");
    assertThat(agents.text("metadata", "labels", "release")).isEqualTo("prom");
    assertThat(alerts(agents))
        .contains("MooringServiceDown", "MooringObjectsFailing")
        .doesNotContain("MooringRuleInvalid");
    assertThat(expressions(agents))
        .allMatch(expression ->
            expression.contains(
                "namespace=\"mooring-system\", job=\"mooring-test-sync-agent-management\""))
        .noneMatch(expression -> expression.contains("$scope"));
  }

  @Test
  void rendersNothingForPrometheusAndGrafanaByDefault() {
    List<KubeObject> objects = Chart.render(Chart.ALL_SERVICES);

    assertThat(ofKind(objects, "PrometheusRule")).isEmpty();
    assertThat(objects).extracting(KubeObject::name).noneMatch(name -> name.contains("dashboard"));
  }

  @Test
  void leavesOutAlertsByName() {
    List<KubeObject> objects =
        ChartMetrics.render("metrics: {rules: {disabled: [MooringProtectionBypassed]}}");

    assertThat(alerts(named(objects, "PrometheusRule", "dependency-webhook")))
        .contains("MooringReviewsSlow")
        .doesNotContain("MooringProtectionBypassed");
    assertThat(
            Chart.refusal(
                Chart.ALL_SERVICES,
                ChartMetrics.ENABLED,
                "metrics: {rules: {disabled: [MooringTypo]}}"))
        .contains("metrics.rules.disabled names MooringTypo, which is no alert");
  }

  @Test
  void refusesAlertsAboutScrapesThatNoServiceMonitorAsksFor() {
    assertThat(Chart.refusal(Chart.ALL_SERVICES, "metrics: {rules: {enabled: true}}"))
        .contains("set metrics.serviceMonitor.enabled");
  }

  @Test
  void saysInEveryAlertHowBadItIsAndWhereItsRunbookIs() {
    Map<String, Object> alerts = ChartMetrics.alerts(ChartMetrics.atOnce());

    alerts.forEach((name, alert) -> {
      assertThat(Trees.text(alert, "labels", "severity"))
          .as(name)
          .isIn("critical", "warning", "info");
      assertThat(Trees.text(alert, "annotations", "summary")).as(name).endsWith(".");
      assertThat(Trees.text(alert, "annotations", "description")).as(name).endsWith(".");
      assertThat(Trees.text(alert, "annotations", "runbook_url"))
          .isEqualTo("docs/how-to/runbooks.md#" + name.toLowerCase(java.util.Locale.ROOT));
    });
    assertThat(alerts).hasSizeGreaterThan(25);
  }

  @Test
  void hasARunbookForEveryAlertAndNoOther() throws IOException {
    var runbooks = new TreeSet<String>();
    RUNBOOK
        .matcher(Files.readString(Chart.LAYOUT.file("docs/how-to/runbooks.md")))
        .results()
        .forEach(runbook -> runbooks.add(runbook.group(1)));

    assertThat(runbooks).isEqualTo(ChartMetrics.alerts(ChartMetrics.atOnce()).keySet());
  }

  @Test
  void rendersDashboardsWhereGrafanasSidecarFindsThem() {
    List<KubeObject> dashboards =
        ofKind(
                ChartMetrics.render(
                    "metrics: {dashboards: {annotations: {grafana_folder: Mooring}}}"),
                "ConfigMap")
            .stream()
            .filter(map -> map.labels().containsKey("grafana_dashboard"))
            .toList();

    assertThat(dashboards)
        .extracting(KubeObject::name)
        .containsExactlyInAnyOrder(
            "mooring-test-dashboard-overview",
            "mooring-test-dashboard-sync-agent",
            "mooring-test-dashboard-dependency-protection");
    assertThat(dashboards)
        .allMatch(map -> map.labels().get("grafana_dashboard").equals("1"))
        .allMatch(map -> map.annotations().get("grafana_folder").equals("Mooring"));
  }

  @Test
  void describesEveryPanelAndItsUnit() {
    ChartMetrics.dashboards()
        .forEach((title, dashboard) -> {
          List<Object> panels = Trees.listOrEmpty(Trees.at(dashboard, "panels"));
          assertThat(panels).extracting(panel -> Trees.at(panel, "id")).doesNotHaveDuplicates();
          assertThat(panels)
              .filteredOn(panel -> !Trees.text(panel, "type").equals("row"))
              .allSatisfy(panel -> {
                assertThat(Trees.text(panel, "description")).as("%s", panel).endsWith(".");
                assertThat(Trees.text(panel, "fieldConfig", "defaults", "unit")).isNotEmpty();
                assertThat(Trees.text(panel, "datasource", "uid")).isEqualTo("${datasource}");
              });
          assertThat(Trees.text(dashboard, "uid")).as(title).startsWith("mooring-");
        });
    assertThat(ChartMetrics.dashboards()).hasSize(3);
  }

  private static List<String> alerts(KubeObject rule) {
    return values(rule, "alert");
  }

  private static List<String> expressions(KubeObject rule) {
    return values(rule, "expr");
  }

  private static List<String> values(KubeObject rule, String field) {
    return rule.list("spec", "groups").stream()
        .flatMap(group -> Trees.listOrEmpty(Trees.at(group, "rules")).stream())
        .map(alert -> Trees.text(alert, field))
        .toList();
  }
}
