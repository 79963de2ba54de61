package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.MeasuredProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An agent that can be measured: how it is started and asked.
 *
 * @param name for the report
 * @param command program and arguments
 * @param requests by its metrics in Prometheus' text format
 * @param readiness answers 200 once it is ready; empty if it has no way of saying it
 * @param events reasons of those that each object's consumer has to find after a phase; empty if
 *     not known
 */
record Agent(
    String name,
    Function<Stage, List<String>> command,
    RequestCounter requests,
    Optional<URI> readiness,
    Map<Phase, List<String>> events) {
  /** A stretch of an object's life that is measured by itself. */
  enum Phase {
    /** Consumers create the objects; over when all copies are there. */
    DOWN("down", 5),

    /** The provider's operator sets the copies' status; over when all sources have it. */
    STATUS("status up", 2),

    /** Consumers delete the objects; over when all sources are gone. */
    DELETION("deletion", 4);

    final String text;

    /** For each object, events included. */
    final int requestsMax;

    Phase(String text, int requestsMax) {
      this.text = text;
      this.requestsMax = requestsMax;
    }
  }

  /**
   * The sync agent of this project.
   *
   * @param program such as {@code java -jar sync-agent-service.jar}
   * @param port for health and metrics
   */
  static Agent mooring(List<String> program, int port) {
    String actuator = "http://127.0.0.1:" + port + "/actuator/";
    return new Agent(
        "mooring",
        stage ->
            Stream.concat(
                    program.stream(),
                    Stream.of(
                        "--server.address=127.0.0.1",
                        "--server.port=" + port,
                        "--mooring.sync-agent.endpoint-auth=false",
                        "--mooring.sync-agent.kubeconfig=" + stage.serviceKubeconfig(),
                        "--mooring.sync-agent.kcp-kubeconfig=" + stage.providerKubeconfig(),
                        "--mooring.sync-agent.apiexportendpointslice-ref=" + Types.EXPORT))
                .toList(),
        new RequestCounter(URI.create(actuator + "prometheus")),
        Optional.of(URI.create(actuator + "health/readiness")),
        Map.of(
            Phase.DOWN, List.of("ObjectPlaced"),
            Phase.STATUS, List.of("ObjectStatusSynced"),
            Phase.DELETION, List.of("ObjectDeleted")));
  }

  /**
   * Another agent with the Go agent's command line.
   *
   * @param port for metrics
   */
  static Agent competitor(Path program, int port) {
    return new Agent(
        program.getFileName().toString(),
        stage ->
            List.of(
                program.toString(),
                "--kubeconfig=" + stage.serviceKubeconfig(),
                "--kcp-kubeconfig=" + stage.providerKubeconfig(),
                "--apiexportendpointslice-ref=" + Types.EXPORT,
                "--namespace=default",
                "--metrics-address=127.0.0.1:" + port),
        new RequestCounter(URI.create("http://127.0.0.1:" + port + "/metrics")),
        Optional.empty(),
        Map.of());
  }

  /** Blocks until it says that it is ready; returns at once if it has no way of saying it. */
  void awaitReady(MeasuredProcess process) {
    readiness.ifPresentOrElse(process::awaitReady, process::requireAlive);
  }
}
