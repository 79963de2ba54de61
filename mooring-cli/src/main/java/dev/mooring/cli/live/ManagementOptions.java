package dev.mooring.cli.live;

import dev.mooring.cli.CommandFailure;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the services have their management endpoints, and the token that they are sent. */
public final class ManagementOptions {
  @Option(
      names = "--agent-url",
      paramLabel = "URL",
      description = "Management of the sync agent, such as http://localhost:8085.")
  private URI agent;

  @Option(
      names = "--webhook-url",
      paramLabel = "URL",
      description = "Management of the dependency webhook, such as http://localhost:8087.")
  private URI webhook;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "Bearer token for these URLs (default: that of the kubeconfig; for the agent that of the"
              + " service cluster's, if it is named).")
  private Path tokenFile;

  @Option(
      names = "--management-ca",
      paramLabel = "FILE",
      description = "CA of these URLs, for https (default: what the JDK trusts).")
  private Path authorities;

  /** In the order in which commands list them. */
  public enum Service {
    agent("sync agent"),
    webhook("dependency webhook");

    private final String title;

    Service(String title) {
      this.title = title;
    }

    /** As messages name it. */
    public String title() {
      return title;
    }
  }

  /** Empty if the user names no URL. Throws {@link CommandFailure} for one that cannot be used. */
  public Optional<Management> of(
      Service service, LiveOptions kcp, ServiceClusterOptions serviceCluster) {
    return Optional.ofNullable(url(service))
        .map(url ->
            new Management(service, usable(url), token(service, kcp, serviceCluster), trusted()));
  }

  private URI url(Service service) {
    return switch (service) {
      case agent -> agent;
      case webhook -> webhook;
    };
  }

  private static URI usable(URI url) {
    String scheme = String.valueOf(url.getScheme());
    if (url.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
      throw CommandFailure.badInput(url + " is no URL as in http://localhost:8085");
    }
    return url;
  }

  private Optional<String> token(
      Service service, LiveOptions kcp, ServiceClusterOptions serviceCluster) {
    if (tokenFile != null) {
      return Optional.of(read(tokenFile).strip());
    }
    return switch (service) {
      case agent -> serviceCluster.token(kcp).or(kcp::token);
      case webhook -> kcp.token();
    };
  }

  private Optional<byte[]> trusted() {
    return Optional.ofNullable(authorities)
        .map(file -> read(file).getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw CommandFailure.badInput(file + " cannot be read");
    }
  }
}
