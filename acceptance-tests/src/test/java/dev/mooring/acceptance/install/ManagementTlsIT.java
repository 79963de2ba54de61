package dev.mooring.acceptance.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.acceptance.Chart;
import dev.mooring.harness.Await;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.OwnFiles;
import dev.mooring.harness.ProcessGroup;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServiceProcess;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Management ports over TLS, as the chart configures the services in profile {@code prod}. */
@Tag("full")
class ManagementTlsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final String MOUNTS = "/var/run/mooring";

  /** Of a server that does not answer: liveness does not depend on one. */
  private static final String NO_SERVER =
      """
      apiVersion: v1
      kind: Config
      clusters: [{name: none, cluster: {server: "https://127.0.0.1:1/clusters/root"}}]
      contexts: [{name: none, context: {cluster: none, user: none}}]
      users: [{name: none, user: {token: none}}]
      current-context: none
      """;

  @TempDir Path directory;

  @Test
  void answersOverHttpsAndReadsARenewedCertificate() throws Exception {
    ServingCertificate first =
        ServingCertificate.in(directory.resolve("first-authority"), Instant.now());
    ServingCertificate second =
        ServingCertificate.in(directory.resolve("second-authority"), Instant.now());
    for (String mount : List.of("management-tls", "webhook-tls")) {
      mount(first, mount);
    }
    OwnFiles.write(directory.resolve("kcp/kubeconfig"), NO_SERVER);
    List<KubeObject> objects =
        Chart.render(
            Chart.ALL_SERVICES,
            "pods: {management: {tls: {secret: management-tls}}}",
            "dependencyController: {webhook: {caSecret: ''}}");
    try (var processes = new ProcessGroup();
        HttpProbe trustsFirst = HttpProbe.trusting(Files.readAllBytes(first.authority()));
        HttpProbe trustsSecond = HttpProbe.trusting(Files.readAllBytes(second.authority()))) {
      Map<ServiceProcess, URI> health =
          Map.ofEntries(
              start(processes, objects, Program.SYNC_AGENT),
              start(processes, objects, Program.DEPENDENCY_CONTROLLER),
              start(processes, objects, Program.DEPENDENCY_WEBHOOK));

      health.forEach((process, url) -> awaitAlive(process, trustsFirst, url));
      health.values().forEach(url -> assertThat(trustsSecond.status(url)).isEmpty());

      mount(second, "management-tls");
      health.forEach((process, url) -> awaitAlive(process, trustsSecond, url));
    }
  }

  private static void awaitAlive(ServiceProcess process, HttpProbe probe, URI url) {
    Await.until(
        process.name() + " answers over HTTPS with a trusted certificate",
        PATIENCE,
        process::requireAlive,
        () -> probe.status(url).filter(status -> status == 200).isPresent());
  }

  private Map.Entry<ServiceProcess, URI> start(
      ProcessGroup processes, List<KubeObject> objects, Program program) {
    String service = program.module().replace("-service", "");
    Path home = directory.resolve("config-" + service);
    OwnFiles.write(
        home.resolve("application.yaml"),
        Chart.named(objects, "ConfigMap", service)
            .text("data", "application.yaml")
            .replace(MOUNTS, directory.toString()));
    int port = ComposeProject.freePort();
    var environment =
        new HashMap<>(
            Map.of(
                "SPRING_PROFILES_ACTIVE",
                "prod",
                "SPRING_CONFIG_ADDITIONAL_LOCATION",
                "file:" + home + "/",
                "KUBECONFIG",
                directory.resolve("kcp/kubeconfig").toString(),
                "SPRING_SSL_BUNDLE_WATCH_FILE_QUIETPERIOD",
                "100ms"));
    if (program == Program.DEPENDENCY_WEBHOOK) {
      environment.put("SERVER_PORT", Integer.toString(ComposeProject.freePort()));
      environment.put("MANAGEMENT_SERVER_PORT", Integer.toString(port));
    } else {
      environment.put("SERVER_PORT", Integer.toString(port));
    }
    ServiceProcess process =
        processes.start(
            service,
            Jars.command(Chart.LAYOUT, program, List.of()),
            environment,
            directory.resolve(service + ".log"));
    return Map.entry(
        process, URI.create("https://127.0.0.1:" + port + "/actuator/health/liveness"));
  }

  private void mount(ServingCertificate certificate, String name) throws IOException {
    Path mount = Files.createDirectories(directory.resolve(name));
    for (String file : List.of("tls.key", "tls.crt")) {
      Files.copy(
          certificate.directory().resolve(file),
          mount.resolve(file),
          StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
