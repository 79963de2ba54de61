package dev.mooring.cli.live;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The service cluster of a command that asks kcp as well. */
public final class ServiceClusterOptions {
  @Option(
      names = "--service-kubeconfig",
      paramLabel = "FILE",
      description = "Of the service cluster, where PublishedResources and copies are.")
  private Path kubeconfig;

  @Option(
      names = "--service-context",
      paramLabel = "NAME",
      description =
          "Of --service-kubeconfig (default: its current context), or of --kubeconfig without it.")
  private String context;

  /** Empty if the user names none. */
  public Optional<LiveOptions.Server> server(LiveOptions kcp) {
    return isNamed()
        ? Optional.of(LiveOptions.server(file(kcp), LiveOptions.options(named())))
        : Optional.empty();
  }

  /** The bearer token of the user there; empty for one with other credentials, or no cluster. */
  Optional<String> token(LiveOptions kcp) {
    return isNamed() ? LiveOptions.token(file(kcp), named()) : Optional.empty();
  }

  private boolean isNamed() {
    return kubeconfig != null || context != null;
  }

  private Path file(LiveOptions kcp) {
    return kubeconfig == null ? kcp.file() : kubeconfig;
  }

  private String named() {
    return context == null ? "" : context;
  }
}
