package dev.mooring.cli.live;

import dev.mooring.cli.CommandFailure;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where sync agent and dependency webhook have their management endpoints. */
public class ManagementUrls {
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
      names = "--management-ca",
      paramLabel = "FILE",
      description = "CA of these URLs, for https (default: what the JDK trusts).")
  private Path authorities;

  /**
   * Without a token, for endpoints that ask for none. Empty if the user names no URL. Throws {@link
   * CommandFailure} for one that cannot be used.
   */
  public final Optional<Management> find(Service service) {
    return url(service)
        .map(url -> new Management(service, usable(url), Optional.empty(), trusted()));
  }

  Optional<URI> url(Service service) {
    return switch (service) {
      case agent -> Optional.ofNullable(agent);
      case controller -> Optional.empty();
      case webhook -> Optional.ofNullable(webhook);
    };
  }

  private static URI usable(URI url) {
    String scheme = String.valueOf(url.getScheme());
    if (url.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
      throw CommandFailure.badInput(url + " is no URL as in http://localhost:8085");
    }
    return url;
  }

  private Optional<byte[]> trusted() {
    return Optional.ofNullable(authorities)
        .map(file -> read(file).getBytes(StandardCharsets.UTF_8));
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw CommandFailure.badInput(file + " cannot be read");
    }
  }
}
