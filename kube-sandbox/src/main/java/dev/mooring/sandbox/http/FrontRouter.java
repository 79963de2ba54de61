package dev.mooring.sandbox.http;

import dev.mooring.sandbox.api.request.ClusterPlace;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.security.user.UserInfo;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * kcp's front proxy: sends a request to the shard that has the logical cluster, under the cluster's
 * name. Denies paths that it does not know, before it looks at credentials; anonymous users; and
 * takes groups away that count at a shard only. A service account needs no cluster in the URL.
 * Mapped paths lead to servers elsewhere. Answers 502 without a body for a shard that is down.
 */
final class FrontRouter implements RequestRouter {
  // --authentication-drop-groups of kcp's front proxy, by default.
  private static final Set<String> DROPPED_GROUPS =
      Set.of(UserInfo.MASTERS, "system:kcp:logical-cluster-admin");
  private static final Set<String> HEALTH = Set.of("readyz", "livez");
  private static final Set<String> PREFIXES = Set.of("clusters", "services");

  /** Knows all users who are not those of one workspace. */
  private static final String ROOT_SHARD = "root";

  private final FrontProxyConfig config;
  private final HealthChecks health = new HealthChecks(() -> true);

  FrontRouter(FrontProxyConfig config) {
    this.config = config;
  }

  @Override
  public void answer(Exchange exchange) throws IOException {
    List<String> segments = segments(exchange);
    if (segments.size() == 1 && HEALTH.contains(segments.getFirst())) {
      health.answer(exchange, segments);
      return;
    }
    Optional<PathMapping> mapping = PathMapping.find(config.mappings(), segments);
    if (mapping.isPresent()) {
      answerElsewhere(exchange, segments, mapping.get());
      return;
    }
    if (segments.size() < 2 || !segments.getFirst().equals("clusters")) {
      throw ApiFailure.pageNotFound();
    }
    switch (place(exchange, segments.get(1), segments)) {
      case ClusterPlace.Unavailable() -> throw unavailable();
      case ClusterPlace.OnShard(String shard, var cluster) -> {
        var server = config.shards().apply(shard);
        if (server.isEmpty()) {
          answerBadGateway(exchange);
          return;
        }
        List<String> forwarded =
            Stream.concat(
                    Stream.of("clusters", cluster.name()),
                    segments.subList(2, segments.size()).stream())
                .toList();
        server.get().forward(exchange.forwarded(forwarded, FrontRouter::admitted));
      }
    }
  }

  private void answerElsewhere(Exchange exchange, List<String> segments, PathMapping mapping)
      throws IOException {
    @Nullable ClusterPlace place =
        mapping.workspace(segments).map(named -> place(exchange, named, segments)).orElse(null);
    if (place instanceof ClusterPlace.Unavailable) {
      throw unavailable();
    }
    String shard = place instanceof ClusterPlace.OnShard found ? found.shard() : ROOT_SHARD;
    Optional<ApiServer> server = config.shards().apply(shard);
    if (server.isEmpty()) {
      answerBadGateway(exchange);
    } else {
      mapping.forward(exchange, segments, admitted(server.get().user(exchange)));
    }
  }

  private ClusterPlace place(Exchange exchange, String workspace, List<String> segments) {
    return config.places().apply(workspace).orElseThrow(() -> notPermitted(exchange, segments));
  }

  private static ApiFailure unavailable() {
    return ApiFailure.plain(503, "Not available.\n");
  }

  private static void answerBadGateway(Exchange exchange) throws IOException {
    exchange.answer(502, "", new byte[0]);
  }

  /** Clients inside a cluster know no logical clusters: their service account has one. */
  private List<String> segments(Exchange exchange) {
    List<String> segments = exchange.segments();
    if (segments.isEmpty()
        || HEALTH.contains(segments.getFirst())
        || PREFIXES.contains(segments.getFirst())) {
      return segments;
    }
    return exchange
        .credentials()
        .bearerToken()
        .flatMap(config.homes())
        .map(home -> Stream.concat(Stream.of("clusters", home.name()), segments.stream()).toList())
        .orElse(segments);
  }

  private static UserInfo admitted(UserInfo user) {
    if (user.name().equals(UserInfo.ANONYMOUS)) {
      throw ApiFailure.unauthorized();
    }
    return new UserInfo(
        user.name(),
        user.uid(),
        user.groups().stream().filter(group -> !DROPPED_GROUPS.contains(group)).toList(),
        user.extra());
  }

  private static ApiFailure notPermitted(Exchange exchange, List<String> segments) {
    return ApiFailure.forbidden(
        "User \"\" cannot "
            + exchange.method().toLowerCase(Locale.ROOT)
            + " path \"/"
            + String.join("/", segments)
            + "\": workspace access not permitted");
  }
}
