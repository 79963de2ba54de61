package dev.mooring.benchmarks.protection;

import dev.mooring.model.identity.LogicalCluster;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A webhook that can be measured: how it is started and called. */
sealed interface Webhook {
  /** For the report. */
  String name();

  /**
   * Program and arguments.
   *
   * @param kubeconfig of an administrator, pointing at the workspace of the rules' APIExport
   * @param certificates with {@code tls.crt} and {@code tls.key}
   */
  List<String> command(Path kubeconfig, Path certificates);

  /** Answers 200 once the rules are known. */
  URI readiness();

  /** Where deletions of a provider's objects are asked about. */
  URI reviews(LogicalCluster provider);

  /**
   * The dependency webhook of this project.
   *
   * @param program such as {@code java -jar dependency-webhook-service.jar}
   * @param port for reviews; the next one is for health
   */
  record Mooring(List<String> program, int port) implements Webhook {
    public Mooring {
      program = List.copyOf(program);
    }

    @Override
    public String name() {
      return "mooring";
    }

    @Override
    public List<String> command(Path kubeconfig, Path certificates) {
      var command = new ArrayList<>(program);
      command.add("--server.address=127.0.0.1");
      command.add("--server.port=" + port);
      command.add("--management.server.address=127.0.0.1");
      command.add("--management.server.port=" + (port + 1));
      command.add("--mooring.dependency-webhook.endpoint-auth=false");
      command.add("--mooring.dependency-webhook.kubeconfig=" + kubeconfig);
      command.add("--mooring.dependency-webhook.tls-cert-dir=" + certificates);
      return command;
    }

    @Override
    public URI readiness() {
      return URI.create("http://127.0.0.1:" + (port + 1) + "/actuator/health/readiness");
    }

    @Override
    public URI reviews(LogicalCluster provider) {
      return URI.create("https://127.0.0.1:" + port + "/validate/" + provider.name());
    }
  }

  /**
   * Another webhook with the Go webhook's command line.
   *
   * @param port for reviews; the next one is for health
   */
  record Competitor(Path program, int port) implements Webhook {
    @Override
    public String name() {
      return program.getFileName().toString();
    }

    @Override
    public List<String> command(Path kubeconfig, Path certificates) {
      return List.of(
          program.toString(),
          "--kubeconfig=" + kubeconfig,
          "--webhook-port=" + port,
          "--tls-cert-dir=" + certificates,
          "--health-probe-bind-address=127.0.0.1:" + (port + 1));
    }

    @Override
    public URI readiness() {
      return URI.create("http://127.0.0.1:" + (port + 1) + "/readyz");
    }

    @Override
    public URI reviews(LogicalCluster provider) {
      return URI.create("https://127.0.0.1:" + port + "/validate");
    }
  }
}
