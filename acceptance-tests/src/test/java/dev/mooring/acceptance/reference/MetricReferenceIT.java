package dev.mooring.acceptance.reference;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.acceptance.Mooring;
import dev.mooring.harness.HttpProbe;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** docs/reference/metrics.md lists the meters that the running services have registered. */
@ExtendWith(Mooring.class)
class MetricReferenceIT {
  private static final Pattern LINE =
      Pattern.compile("^# (HELP|TYPE) ((?:mooring|sync_agent)_\\w+) (.*)$", Pattern.MULTILINE);
  private static final Pattern SAMPLE =
      Pattern.compile(
          "^((?:mooring|sync_agent)_\\w+?)(?:_bucket|_count|_sum)?\\{([^}]*)}", Pattern.MULTILINE);
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

  private record Metric(String type, String help, Set<String> labels) {}

  @Test
  void listsEveryMetricOfTheSyncAgent(Mooring.Running mooring) throws IOException {
    holds("sync-agent", mooring.suite().ports().agent());
  }

  @Test
  void listsEveryMetricOfTheController(Mooring.Running mooring) throws IOException {
    holds("dependency-controller", mooring.suite().ports().controller());
  }

  @Test
  void listsEveryMetricOfTheWebhook(Mooring.Running mooring) throws IOException {
    await("the series of the first rule")
        .until(() ->
            metrics(mooring.suite().ports().webhook())
                .containsKey("mooring_dependency_webhook_decisions_total"));
    holds("dependency-webhook", mooring.suite().ports().webhook());
  }

  private static void holds(String service, int port) throws IOException {
    var table = new GeneratedTable("metrics.md", service);
    var rows = new TreeMap<String, String>();
    metrics(port)
        .forEach((name, metric) ->
            rows.put(
                name,
                "| `%s` | %s | %s | %s |"
                    .formatted(
                        name,
                        metric.type(),
                        String.join(
                            ", ", metric.labels().stream().map(l -> "`" + l + "`").toList()),
                        GeneratedTable.cell(metric.help()))));
    List<String> lines =
        new ArrayList<>(List.of("| Metric | Type | Labels | Meaning |", "|---|---|---|---|"));
    lines.addAll(rows.values());
    table.mustBe(lines);
  }

  private static Map<String, Metric> metrics(int port) {
    String scraped;
    try (HttpProbe probe = HttpProbe.plain()) {
      scraped =
          probe.body(URI.create("http://127.0.0.1:" + port + "/actuator/prometheus")).orElseThrow();
    }
    var help = new TreeMap<String, String>();
    var metrics = new TreeMap<String, Metric>();
    Matcher line = LINE.matcher(scraped);
    while (line.find()) {
      String name = line.group(2);
      if (line.group(1).equals("HELP")) {
        help.put(name, line.group(3));
      } else if (!name.endsWith("_max")) {
        metrics.put(name, new Metric(line.group(3), help.getOrDefault(name, ""), new TreeSet<>()));
      }
    }
    Matcher sample = SAMPLE.matcher(scraped);
    while (sample.find()) {
      Metric metric = metrics.get(sample.group(1));
      if (metric != null) {
        LABEL
            .matcher(sample.group(2))
            .results()
            .map(label -> label.group(1))
            .filter(label -> !label.equals("le"))
            .forEach(metric.labels()::add);
      }
    }
    assertThat(metrics).isNotEmpty();
    return metrics;
  }
}
