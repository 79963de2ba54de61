package dev.mooring.runtime.export;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * By which hosts the virtual workspace is reached, where those that the endpoint slice names are
 * not: kcp publishes the addresses that its shards have among themselves (kcp-dev/kcp#3830). The
 * rest of an endpoint stays as it is; the first rule that fits counts.
 */
public record EndpointOverrides(List<Rule> rules) {
  public static final EndpointOverrides NONE = new EndpointOverrides(List.of());

  /** {@code host[:port]=host[:port]}, or the second alone for every endpoint. */
  public static final String FORM = "([^=/,:\\s]+(:[0-9]{1,5})?=)?[^=/,:\\s]+(:[0-9]{1,5})?";

  public EndpointOverrides {
    rules = List.copyOf(rules);
  }

  /**
   * One host in place of another.
   *
   * @param from with or without a port, which then may be any; empty for every endpoint
   * @param to without a port the endpoint's stays
   */
  public record Rule(Optional<String> from, String to) {

    private boolean fits(URI endpoint) {
      return from.map(host ->
              host.equals(endpoint.getHost())
                  || host.equals(endpoint.getHost() + ":" + port(endpoint)))
          .orElse(true);
    }
  }

  /** Each of {@link #FORM}. */
  public static EndpointOverrides of(List<String> texts) {
    return new EndpointOverrides(
        texts.stream()
            .map(text -> text.split("=", 2))
            .map(parts ->
                parts.length == 1
                    ? new Rule(Optional.empty(), parts[0])
                    : new Rule(Optional.of(parts[0]), parts[1]))
            .toList());
  }

  /** As they are to be called; endpoints that become one are one from then on. */
  public Set<URI> apply(Set<URI> endpoints) {
    return endpoints.stream().map(this::apply).collect(Collectors.toUnmodifiableSet());
  }

  /** As one endpoint is to be called. */
  public URI apply(URI endpoint) {
    return rules.stream()
        .filter(rule -> rule.fits(endpoint))
        .findFirst()
        .map(rule -> at(rule.to(), endpoint))
        .orElse(endpoint);
  }

  private static URI at(String host, URI endpoint) {
    String port = host.contains(":") || endpoint.getPort() < 0 ? "" : ":" + endpoint.getPort();
    return URI.create(endpoint.getScheme() + "://" + host + port + endpoint.getRawPath());
  }

  private static int port(URI endpoint) {
    return endpoint.getPort() >= 0
        ? endpoint.getPort()
        : endpoint.getScheme().equals("http") ? 80 : 443;
  }
}
