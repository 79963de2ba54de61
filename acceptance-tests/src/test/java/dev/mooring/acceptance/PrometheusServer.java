package dev.mooring.acceptance;

import dev.mooring.harness.Await;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.OwnFiles;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.ProcessGroup;
import dev.mooring.harness.ServiceProcess;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Prometheus that scrapes running services each second and evaluates rules. */
final class PrometheusServer implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);

  private final ProcessGroup processes = new ProcessGroup();
  private final ServiceProcess process;
  private final HttpProbe probe = HttpProbe.plain();
  private final String url;

  /** Whether the program is installed. */
  static boolean isInstalled() {
    return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(":"))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "prometheus")));
  }

  /**
   * @param configuration of Prometheus, as YAML
   */
  PrometheusServer(Path directory, Map<String, ?> configuration) {
    int port = PortPlan.free().agent();
    Path file = directory.resolve("prometheus.json"); // JSON is YAML
    OwnFiles.write(file, KubeJson.writeText(Trees.freezeMap(configuration)));
    url = "http://127.0.0.1:" + port;
    process =
        processes.start(
            "prometheus",
            List.of(
                "prometheus",
                "--config.file=" + file,
                "--storage.tsdb.path=" + directory.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + port),
            Map.of(),
            directory.resolve("prometheus.log"));
    Await.until(
        "Prometheus is ready",
        START,
        process::requireAlive,
        () -> probe.status(URI.create(url + "/-/ready")).equals(Optional.of(200)));
  }

  /** The samples that the query has now; an error of the query fails. */
  List<Object> query(String expression) {
    Object data =
        get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
    return Trees.listOrEmpty(Trees.at(data, "result"));
  }

  /** Names of the alerts that fire. */
  Set<String> firing() {
    return Trees.listOrEmpty(Trees.at(get("/api/v1/alerts"), "alerts")).stream()
        .filter(alert -> Trees.text(alert, "state").equals("firing"))
        .map(alert -> Trees.text(alert, "labels", "alertname"))
        .collect(Collectors.toSet());
  }

  /** Whether each alert was evaluated, by its name: {@code ok}, {@code unknown}, or its error. */
  Map<String, String> evaluations() {
    return Trees.listOrEmpty(Trees.at(get("/api/v1/rules"), "groups")).stream()
        .flatMap(group -> Trees.listOrEmpty(Trees.at(group, "rules")).stream())
        .collect(
            Collectors.toMap(
                rule -> Trees.text(rule, "name"),
                rule -> Trees.text(rule, "health") + Trees.text(rule, "lastError"),
                (one, other) -> one.equals("ok") ? other : one));
  }

  private Object get(String path) {
    process.requireAlive();
    String body =
        probe
            .body(URI.create(url + path))
            .orElseThrow(() -> new AssertionError("Prometheus refuses " + path));
    return Trees.mapOrEmpty(Trees.at(KubeJson.read(body), "data"));
  }

  @Override
  public void close() {
    probe.close();
    processes.close();
  }
}
