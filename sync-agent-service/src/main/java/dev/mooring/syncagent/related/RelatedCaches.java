package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.published.Primaries;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Scope;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.RelatedResolver;
import dev.mooring.syncagent.related.decide.Resolution;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Objects of any type on both sides, and what discovery says of types. Thread-safe. */
final class RelatedCaches {
  /** Age at which a type is discovered again: it may have got a status subresource. */
  private static final Duration GOOD_FOR = Duration.ofMinutes(5);

  private final TypeWatches watches;
  private final KubeClient service;
  private final InstantSource steady;
  private final ConcurrentHashMap<Key, Known> known = new ConcurrentHashMap<>();

  record TypeInfo(String kind, Scope scope, StatusSubresource status) {}

  private record Key(Side side, ResourceType type) {}

  private record Known(TypeInfo info, Instant since) {}

  RelatedCaches(TypeWatches watches, KubeClient service, InstantSource steady) {
    this.watches = watches;
    this.service = service;
    this.steady = steady;
  }

  /** What discovery says of the type; throws {@link Kind#NOT_SERVED} if there is no such type. */
  TypeInfo type(Side side, ResourceType type, KubeClient workspace) {
    var key = new Key(side, type);
    Instant now = steady.instant();
    Known last = known.get(key);
    if (last != null && now.isBefore(last.since().plus(GOOD_FOR))) {
      return last.info();
    }
    TypeInfo info = ask(type, side == Side.KCP ? workspace : service);
    known.put(key, new Known(info, now));
    return info;
  }

  private static TypeInfo ask(ResourceType type, KubeReader server) {
    List<Object> served = server.document(type.apiPath()).list("resources");
    Object found =
        named(served, type.resource())
            .orElseThrow(() ->
                new KubeFailure(
                    Kind.NOT_SERVED,
                    404,
                    "NotFound",
                    type.qualified() + " is not served",
                    null,
                    null));
    return new TypeInfo(
        Trees.text(found, "kind"),
        Boolean.TRUE.equals(Trees.at(found, "namespaced")) ? Scope.NAMESPACED : Scope.CLUSTER,
        named(served, type.resource() + "/status").isPresent()
            ? StatusSubresource.PRESENT
            : StatusSubresource.ABSENT);
  }

  private static Optional<Object> named(List<Object> resources, String name) {
    return resources.stream().filter(each -> Trees.text(each, "name").equals(name)).findFirst();
  }

  /** Starts all watches that the entry needs, so that lists are there with the first object. */
  void open(RelatedResource entry) {
    watches.inKcp(entry.types().inKcp());
    watches.inKcp(Clusters.NAMESPACES);
    watches.onService(entry.types().on(Side.SERVICE));
    watches.onService(Clusters.NAMESPACES);
  }

  /** By the entry's types. */
  boolean isSynced(RelatedResource entry, Optional<URI> endpoint) {
    return Stream.of(Side.values())
        .allMatch(side ->
            isSynced(side, entry.types().on(side), endpoint)
                && isSynced(side, Clusters.NAMESPACES, endpoint));
  }

  /**
   * @param endpoint of kcp; false without one
   */
  boolean isSynced(Side side, ResourceType type, Optional<URI> endpoint) {
    return side == Side.KCP
        ? endpoint.map(watches.inKcp(type)::isSynced).orElse(false)
        : watches.onService(type).isSynced();
  }

  /** In kcp by every endpoint; false without one. */
  boolean isSynced(Side side, ResourceType type) {
    return side == Side.KCP ? watches.inKcp(type).isSynced() : watches.onService(type).isSynced();
  }

  /** For the workspace that the object is in; empty if it is in none, or does not exist. */
  Optional<KubeClient> clientFor(ObjectRef ref) {
    return ref.side() == Side.KCP
        ? watches.inKcp(ref.type()).clientFor(ref.key())
        : Optional.empty();
  }

  Optional<KubeFailure> lastFailure(Side side, ResourceType type) {
    return side == Side.KCP
        ? watches.inKcp(type).lastFailure()
        : watches.onService(type).lastFailure();
  }

  Optional<KubeObject> find(ObjectRef ref) {
    return ref.side() == Side.KCP
        ? watches.inKcp(ref.type()).find(ref.key())
        : watches.onService(ref.type()).find(ref.namespace(), ref.name());
  }

  /** Which objects the entry names; none before the primary has a copy. */
  Resolution resolve(RelatedResource entry, Primary primary, KubeClient workspace) {
    if (primary.onService().isEmpty()) {
      return Resolution.pending("the primary has no copy");
    }
    Side origin = entry.origin();
    return RelatedResolver.resolve(
        entry,
        new Primaries(
            primary.key().cluster(), primary.path(), primary.inKcp(), primary.onService().get()),
        new RelatedResolver.Scopes(
            type(origin, entry.originalType(), workspace).scope(),
            type(origin.other(), entry.copyType(), workspace).scope()),
        (type, namespace) -> objects(origin, type, primary.key().cluster(), namespace));
  }

  private List<KubeObject> objects(
      Side side, ResourceType type, LogicalCluster cluster, String namespace) {
    return switch (side) {
      case SERVICE -> watches.onService(type).inNamespace(namespace);
      case KCP ->
          watches.inKcp(type).inCluster(cluster).stream()
              .filter(object -> object.namespace().equals(namespace))
              .toList();
    };
  }
}
