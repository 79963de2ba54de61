package dev.mooring.benchmarks.protection;

import dev.mooring.model.identity.LogicalCluster;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A webhook that can be measured: how it is started and called.
 *
 * @param name for the report
 * @param command program and arguments, by a kubeconfig of an administrator that points at the
 *     workspace of the rules' APIExport, and a directory with {@code tls.crt} and {@code tls.key}
 * @param readiness answers 200 once the rules are known
 * @param reviews where deletions of a provider's objects are asked about
 */
record Webhook(
    String name,
    BiFunction<Path, Path, List<String>> command,
    URI readiness,
    Function<LogicalCluster, URI> reviews) {
  /**
   * The dependency webhook of this project.
   *
   * @param program such as {@code java -jar dependency-webhook-service.jar}
   * @param port for reviews; the next one is for health
   */
  static Webhook mooring(List<String> program, int port) {
    return new Webhook(
        "mooring",
        (kubeconfig, certificates) ->
            Stream.concat(
                    program.stream(),
                    Stream.of(
                        "--server.address=127.0.0.1",
                        "--server.port=" + port,
                        "--management.server.address=127.0.0.1",
                        "--management.server.port=" + (port + 1),
                        "--mooring.dependency-webhook.endpoint-auth=false",
                        "--mooring.dependency-webhook.kubeconfig=" + kubeconfig,
                        "--mooring.dependency-webhook.tls-cert-dir=" + certificates))
                .toList(),
        URI.create("http://127.0.0.1:" + (port + 1) + "/actuator/health/readiness"),
        provider -> URI.create("https://127.0.0.1:" + port + "/validate/" + provider.name()));
  }

  /**
   * Another webhook with the Go webhook's command line.
   *
   * @param port for reviews; the next one is for health
   */
  static Webhook competitor(Path program, int port) {
    return new Webhook(
        program.getFileName().toString(),
        (kubeconfig, certificates) ->
            List.of(
                program.toString(),
                "--kubeconfig=" + kubeconfig,
                "--webhook-port=" + port,
                "--tls-cert-dir=" + certificates,
                "--health-probe-bind-address=127.0.0.1:" + (port + 1)),
        URI.create("http://127.0.0.1:" + (port + 1) + "/readyz"),
        _ -> URI.create("https://127.0.0.1:" + port + "/validate"));
  }
}
