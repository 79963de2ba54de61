package dev.mooring.sandbox.kcp.frontproxy;

import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.http.ApiServer;
import dev.mooring.sandbox.http.HealthChecks;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kcp.shard.WorkspaceIndex;
import dev.mooring.sandbox.security.token.ServiceAccountTokens;
import dev.mooring.sandbox.security.user.UserInfo;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * kcp's front proxy: sends a request to the shard that has the logical cluster, under the cluster's
 * name. Denies paths that it does not know, before it looks at credentials; anonymous users; and
 * takes groups away that count at a shard only. A service account needs no cluster in the URL.
 * Mapped paths lead to servers elsewhere. Answers 502 without a body for a shard that is down.
 *
 * @param shards by name; empty for one that is down
 * @param mappings paths that lead to servers elsewhere
 */
public record FrontRouter(
    WorkspaceIndex index,
    Function<String, Optional<ApiServer>> shards,
    List<PathMapping> mappings,
    ServiceAccountTokens tokens)
    implements ApiServer.RequestRouter {
  // --authentication-drop-groups of kcp's front proxy, by default.
  private static final Set<String> DROPPED_GROUPS =
      Set.of(UserInfo.MASTERS, "system:kcp:logical-cluster-admin");
  private static final Set<String> HEALTH = Set.of("readyz", "livez");
  private static final Set<String> PREFIXES = Set.of("clusters", "services");

  private static final HealthChecks HEALTHY = new HealthChecks(() -> true);

  @Override
  public void answer(Exchange exchange) throws IOException {
    List<String> segments = segments(exchange);
    if (segments.size() == 1 && HEALTH.contains(segments.getFirst())) {
      HEALTHY.answer(exchange, segments);
      return;
    }
    Optional<PathMapping> mapping = PathMapping.find(mappings, segments);
    if (mapping.isPresent()) {
      answerElsewhere(exchange, segments, mapping.get());
      return;
    }
    if (segments.size() < 2 || !segments.getFirst().equals("clusters")) {
      throw ApiFailure.pageNotFound();
    }
    switch (place(exchange, segments.get(1), segments)) {
      case WorkspaceIndex.Place.Unavailable() -> throw unavailable();
      case WorkspaceIndex.Place.OnShard(String shard, var cluster) -> {
        var server = shards.apply(shard);
        if (server.isEmpty()) {
          answerBadGateway(exchange);
          return;
        }
        List<String> forwarded =
            Stream.concat(
                    Stream.of("clusters", cluster.name()),
                    segments.subList(2, segments.size()).stream())
                .toList();
        exchange.forward(forwarded, FrontRouter::admitted);
        server.get().forward(exchange);
      }
    }
  }

  private void answerElsewhere(Exchange exchange, List<String> segments, PathMapping mapping)
      throws IOException {
    String shard =
        mapping
            .workspace(segments)
            .map(named -> place(exchange, named, segments))
            .map(FrontRouter::shard)
            // It knows all users who are not those of one workspace.
            .orElse(ServerUrls.ROOT_SHARD);
    Optional<ApiServer> server = shards.apply(shard);
    if (server.isEmpty()) {
      answerBadGateway(exchange);
    } else {
      mapping.forward(exchange, segments, admitted(server.get().user(exchange)));
    }
  }

  private static String shard(WorkspaceIndex.Place place) {
    return switch (place) {
      case WorkspaceIndex.Place.OnShard(String shard, _) -> shard;
      case WorkspaceIndex.Place.Unavailable() -> throw unavailable();
    };
  }

  private WorkspaceIndex.Place place(Exchange exchange, String workspace, List<String> segments) {
    return index.find(workspace).orElseThrow(() -> notPermitted(exchange, segments));
  }

  private static ApiFailure unavailable() {
    return ApiFailure.plain(503, "Not available.\n");
  }

  private static void answerBadGateway(Exchange exchange) throws IOException {
    exchange.answerNothing(502, Map.of());
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
        .flatMap(tokens::read)
        .map(account ->
            Stream.concat(Stream.of("clusters", account.cluster().name()), segments.stream())
                .toList())
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
