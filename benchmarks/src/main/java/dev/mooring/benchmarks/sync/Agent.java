package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.MeasuredProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An agent that can be measured: how it is started and asked. */
sealed interface Agent {
  /** For the report. */
  String name();

  /** Program and arguments. */
  List<String> command(Stage stage);

  /** Where it shows metrics in Prometheus' text format. */
  URI metrics();

  /** With what the User-Agent of its requests begins. */
  String userAgent();

  /** How many events about each object it writes in a phase at least; empty if not known. */
  Optional<Phase.Expectations> expectations();

  /** Blocks until it says that it is ready; returns at once if it has no way of saying it. */
  void awaitReady(MeasuredProcess process);

  /**
   * The sync agent of this project.
   *
   * @param program such as {@code java -jar sync-agent-service.jar}
   * @param port for health and metrics
   */
  record Mooring(List<String> program, int port) implements Agent {
    public Mooring {
      program = List.copyOf(program);
    }

    @Override
    public String name() {
      return "mooring";
    }

    @Override
    public List<String> command(Stage stage) {
      var command = new ArrayList<>(program);
      command.add("--server.address=127.0.0.1");
      command.add("--server.port=" + port);
      command.add("--mooring.sync-agent.endpoint-auth=false");
      command.add("--mooring.sync-agent.kubeconfig=" + stage.serviceKubeconfig());
      command.add("--mooring.sync-agent.kcp-kubeconfig=" + stage.providerKubeconfig());
      command.add("--mooring.sync-agent.apiexportendpointslice-ref=" + Types.EXPORT);
      return command;
    }

    @Override
    public URI metrics() {
      return URI.create("http://127.0.0.1:" + port + "/actuator/prometheus");
    }

    @Override
    public String userAgent() {
      return "mooring-sync-agent";
    }

    @Override
    public Optional<Phase.Expectations> expectations() {
      return Optional.of(
          new Phase.Expectations(
              List.of("ObjectAccepted", "ObjectPlaced"),
              List.of("ObjectStatusSynced"),
              List.of("ObjectCleanup", "ObjectDeleted")));
    }

    @Override
    public void awaitReady(MeasuredProcess process) {
      process.awaitReady(
          "the agent is ready",
          URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness"));
    }
  }

  /**
   * Another agent with the Go agent's command line.
   *
   * @param port for metrics
   */
  record Competitor(Path program, int port) implements Agent {
    @Override
    public String name() {
      return program.getFileName().toString();
    }

    @Override
    public List<String> command(Stage stage) {
      return List.of(
          program.toString(),
          "--kubeconfig=" + stage.serviceKubeconfig(),
          "--kcp-kubeconfig=" + stage.providerKubeconfig(),
          "--apiexportendpointslice-ref=" + Types.EXPORT,
          "--namespace=default",
          "--metrics-address=127.0.0.1:" + port);
    }

    @Override
    public URI metrics() {
      return URI.create("http://127.0.0.1:" + port + "/metrics");
    }

    @Override
    public String userAgent() {
      return program.getFileName().toString();
    }

    @Override
    public Optional<Phase.Expectations> expectations() {
      return Optional.empty();
    }

    @Override
    public void awaitReady(MeasuredProcess process) {
      process.requireAlive();
    }
  }
}
