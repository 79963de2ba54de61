package dev.mooring.acceptance;

import dev.mooring.harness.OwnFiles;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The chart's alerts and dashboards, as it renders them for all services. */
final class ChartMetrics {
  static final String ENABLED =
      """
      metrics:
        serviceMonitor: {enabled: true}
        rules: {enabled: true}
        dashboards: {enabled: true}
      """;

  private ChartMetrics() {}

  static List<KubeObject> render(String... values) {
    var all = new ArrayList<>(List.of(Chart.ALL_SERVICES, ENABLED));
    all.addAll(List.of(values));
    return Chart.render(all.toArray(String[]::new));
  }

  /** Groups of rules, whose alerts fire without a delay if theirs is shorter than an hour. */
  static Map<String, Object> atOnce() {
    List<Object> groups =
        Chart.ofKind(render(), "PrometheusRule").stream()
            .flatMap(rule -> rule.list("spec", "groups").stream())
            .map(group -> {
              Map<String, Object> changed = Trees.thawMap(Trees.mapOrEmpty(group));
              changed.put(
                  "rules",
                  Trees.listOrEmpty(Trees.at(group, "rules")).stream()
                      .map(rule -> {
                        Map<String, Object> alert = Trees.thawMap(Trees.mapOrEmpty(rule));
                        alert.computeIfPresent(
                            "for", (_, delay) -> delay.equals("1h") ? delay : "0s");
                        return (Object) alert;
                      })
                      .toList());
              return (Object) changed;
            })
            .toList();
    return Map.of("groups", groups);
  }

  /** The alerts of rule groups by their names. */
  static Map<String, Object> alerts(Map<String, Object> rules) {
    var alerts = new TreeMap<String, Object>();
    for (Object group : Trees.listOrEmpty(rules.get("groups"))) {
      for (Object alert : Trees.listOrEmpty(Trees.at(group, "rules"))) {
        alerts.put(Trees.text(alert, "alert"), alert);
      }
    }
    return alerts;
  }

  static String write(Map<String, Object> rules, Path directory) {
    Path file = directory.resolve("rules.json"); // JSON is YAML
    OwnFiles.write(file, KubeJson.writeText(Trees.freezeMap(rules)));
    return file.toString();
  }

  /** Dashboards by their titles. */
  static Map<String, Object> dashboards() {
    var dashboards = new TreeMap<String, Object>();
    for (KubeObject map : Chart.ofKind(render(), "ConfigMap")) {
      if (map.name().contains("-dashboard-")) {
        Trees.mapOrEmpty(map.at("data"))
            .values()
            .forEach(json -> {
              Object dashboard = KubeJson.read((String) json);
              dashboards.put(Trees.text(dashboard, "title"), dashboard);
            });
      }
    }
    return dashboards;
  }

  /** Every query of a panel, with values for the variables, by dashboard and panel. */
  static Map<String, String> dashboardQueries() {
    var queries = new LinkedHashMap<String, String>();
    dashboards()
        .forEach((title, dashboard) -> {
          for (Object panel : Trees.listOrEmpty(Trees.at(dashboard, "panels"))) {
            for (Object target : Trees.listOrEmpty(Trees.at(panel, "targets"))) {
              queries.put(
                  "%s / %s / %s"
                      .formatted(title, Trees.text(panel, "title"), Trees.text(target, "refId")),
                  Trees.text(target, "expr")
                      .replace("$__rate_interval", "10s")
                      .replace("$namespace", Chart.NAMESPACE)
                      .replace("$job", ".*")
                      .replace("$published_resource", ".*"));
            }
          }
        });
    return queries;
  }
}
