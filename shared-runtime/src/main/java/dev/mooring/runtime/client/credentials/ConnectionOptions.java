package dev.mooring.runtime.client.credentials;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How to connect, beyond what a kubeconfig says.
 *
 * @param service names the client to the server: the User-Agent is {@code mooring-<service>}, and
 *     so is the field manager that servers record
 * @param context of the kubeconfig; empty for its current one
 * @param requestTimeout after which a request without an answer has failed; watches are not subject
 *     to it
 * @param server URL in place of the one that the credentials come with
 * @param caFile certificates to trust in place of those that the credentials come with
 */
public record ConnectionOptions(
    String service,
    String context,
    Duration connectTimeout,
    Duration requestTimeout,
    Optional<String> server,
    Optional<Path> caFile) {
  public ConnectionOptions {
    if (service.isEmpty()) {
      throw new IllegalArgumentException("a connection needs the name of its service");
    }
    if (!connectTimeout.isPositive() || !requestTimeout.isPositive()) {
      throw new IllegalArgumentException("timeouts are positive");
    }
  }

  /** The current context; 10 s to connect; 30 s for a request, as a large list may take. */
  public static ConnectionOptions of(String service) {
    return new ConnectionOptions(
        service,
        "",
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Optional.empty(),
        Optional.empty());
  }

  public ConnectionOptions inContext(String name) {
    return new ConnectionOptions(service, name, connectTimeout, requestTimeout, server, caFile);
  }

  public ConnectionOptions withRequestTimeout(Duration timeout) {
    return new ConnectionOptions(service, context, connectTimeout, timeout, server, caFile);
  }

  public ConnectionOptions withServer(Optional<String> url) {
    return new ConnectionOptions(service, context, connectTimeout, requestTimeout, url, caFile);
  }

  public ConnectionOptions trusting(Optional<Path> certificates) {
    return new ConnectionOptions(
        service, context, connectTimeout, requestTimeout, server, certificates);
  }

  public String userAgent() {
    return "mooring-" + service;
  }
}
