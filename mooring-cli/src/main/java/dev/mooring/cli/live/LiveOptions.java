package dev.mooring.cli.live;

import dev.mooring.cli.CommandFailure;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.credentials.ServerAccess;
import dev.mooring.runtime.client.http.KubeConnection;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
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
      names = {"-w", "--workspace"},
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
    Server server = server(file(), options(context));
    return workspace == null
        ? server
        : new Server(
            server.connection(),
            server.connection().client(usable("", () -> new WorkspacePath(workspace))));
  }

  /** As {@link #server()}; empty if the user names none, and there is no kubeconfig. */
  public Optional<Server> find() {
    boolean named = kubeconfig != null || workspace != null || !context.isEmpty();
    return named || Files.exists(unnamedFile()) ? Optional.of(server()) : Optional.empty();
  }

  /** Of a program's own kubeconfig. Throws {@link CommandFailure} if it cannot be used. */
  public static Server server(Path file, ConnectionOptions options) {
    KubeConnection connection = usable("", () -> KubeConnection.fromKubeconfig(file, options));
    return new Server(connection, connection.client());
  }

  /** The bearer token of the user; empty for one with other credentials. */
  Optional<String> token() {
    return token(file(), context);
  }

  static Optional<String> token(Path file, String context) {
    return usable(
        "", () -> ServerAccess.ofKubeconfig(file, options(context)).credentials().bearerToken());
  }

  /**
   * @param context of a kubeconfig; empty for its current one
   */
  public static ConnectionOptions options(String context) {
    return ConnectionOptions.of("cli").inContext(context);
  }

  /**
   * What is read of options. Throws {@link CommandFailure} if they cannot be used.
   *
   * @param prefix of the message, such as {@code --provider: }
   */
  public static <T> T usable(String prefix, Supplier<T> read) {
    try {
      return read.get();
    } catch (IllegalArgumentException e) {
      throw CommandFailure.badInput(prefix + e.getMessage());
    }
  }

  /** Throws {@link CommandFailure} if there is none. */
  Path file() {
    return kubeconfig != null ? kubeconfig : ofEnvironment();
  }

  /** The kubeconfig of a program that names none. Throws {@link CommandFailure}. */
  public static Path ofEnvironment() {
    Path file = unnamedFile();
    if (!Files.exists(file)) {
      throw CommandFailure.badInput("there is no kubeconfig " + file + "; set --kubeconfig");
    }
    return file;
  }

  private static Path unnamedFile() {
    Map<String, String> environment = System.getenv();
    String named = environment.getOrDefault("KUBECONFIG", "");
    if (named.contains(File.pathSeparator)) {
      throw CommandFailure.badInput("KUBECONFIG names several files; choose one with --kubeconfig");
    }
    return named.isEmpty()
        ? Path.of(environment.getOrDefault("HOME", ""), ".kube", "config")
        : Path.of(named);
  }
}
