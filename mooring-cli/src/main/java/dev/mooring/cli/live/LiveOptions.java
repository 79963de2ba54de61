package dev.mooring.cli.live;

import dev.mooring.cli.CommandFailure;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which server a command asks, as whom: options that kubectl's users know. */
public final class LiveOptions {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "(default: $KUBECONFIG, else ~/.kube/config).")
  private Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Of the kubeconfig (default: its current context).")
  private String context;

  @Option(
      names = "--workspace",
      paramLabel = "PATH",
      description = "Of kcp, such as root:org (default: that of the context).")
  private String workspace;

  /** Ends with its connection. */
  public record Server(KubeConnection connection, KubeClient client) implements AutoCloseable {
    @Override
    public void close() {
      connection.close();
    }
  }

  /** Sends nothing yet. Throws {@link CommandFailure} if the options cannot be used. */
  public Server server() {
    try {
      Optional<WorkspacePath> path = Optional.ofNullable(workspace).map(WorkspacePath::new);
      KubeConnection connection =
          KubeConnection.fromKubeconfig(
              file(System.getenv()), ConnectionOptions.of("cli").inContext(context));
      return new Server(connection, path.map(connection::client).orElseGet(connection::client));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.badInput(String.valueOf(e.getMessage()));
    }
  }

  private Path file(Map<String, String> environment) {
    if (kubeconfig != null) {
      return kubeconfig;
    }
    String named = environment.getOrDefault("KUBECONFIG", "");
    if (named.contains(File.pathSeparator)) {
      throw CommandFailure.badInput("KUBECONFIG names several files; choose one with --kubeconfig");
    }
    Path file =
        named.isEmpty()
            ? Path.of(environment.getOrDefault("HOME", ""), ".kube", "config")
            : Path.of(named);
    if (!Files.exists(file)) {
      throw CommandFailure.badInput("there is no kubeconfig " + file + "; set --kubeconfig");
    }
    return file;
  }
}
