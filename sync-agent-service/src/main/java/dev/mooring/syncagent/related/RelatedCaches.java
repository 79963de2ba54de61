package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.published.Primaries;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.Candidates;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.RelatedResolver;
import dev.mooring.syncagent.related.decide.Resolution;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Objects of any type on both sides, and what discovery says of types. Thread-safe. */
public final class RelatedCaches {
  private final TypeWatches watches;
  private final KubeClient service;
  private final TypeDiscovery types;

  /**
   * @param steady for the age of what discovery said
   */
  public RelatedCaches(TypeWatches watches, KubeClient service, InstantSource steady) {
    this.watches = watches;
    this.service = service;
    this.types = new TypeDiscovery(steady);
  }

  /** Throws {@link KubeFailure}. */
  public TypeDiscovery.TypeInfo type(Side side, ResourceType type, KubeClient workspace) {
    return types.of(side, type, side == Side.KCP ? workspace : service);
  }

  /** Starts the watch, so that the list is there with the first object. */
  public void open(Side side, ResourceType type) {
    switch (side) {
      case SERVICE -> watches.onService(type);
      case KCP -> watches.inKcp(type);
    }
  }

  /**
   * @param endpoint of kcp; false without one
   */
  public boolean isSynced(Side side, ResourceType type, Optional<URI> endpoint) {
    return switch (side) {
      case SERVICE -> watches.onService(type).isSynced();
      case KCP -> endpoint.map(watches.inKcp(type)::isSynced).orElse(false);
    };
  }

  /** In kcp by every endpoint; false without one. */
  public boolean isSynced(Side side, ResourceType type) {
    return switch (side) {
      case SERVICE -> watches.onService(type).isSynced();
      case KCP -> watches.inKcp(type).isSynced();
    };
  }

  /** For the workspace that the object is in; empty if it is in none, or does not exist. */
  public Optional<KubeClient> clientFor(ObjectRef ref) {
    return ref.side() == Side.KCP
        ? watches.inKcp(ref.type()).clientFor(ref.key())
        : Optional.empty();
  }

  public Optional<KubeFailure> lastFailure(Side side, ResourceType type) {
    return switch (side) {
      case SERVICE -> watches.onService(type).lastFailure();
      case KCP -> watches.inKcp(type).lastFailure();
    };
  }

  public Optional<KubeObject> find(ObjectRef ref) {
    return switch (ref.side()) {
      case SERVICE -> watches.onService(ref.type()).find(ref.namespace(), ref.name());
      case KCP -> watches.inKcp(ref.type()).find(ref.key());
    };
  }

  /**
   * Which objects the entry names; none before the primary has a copy.
   *
   * @throws KubeFailure if discovery fails
   */
  public Resolution resolve(RelatedResource entry, Primary primary, KubeClient workspace) {
    if (primary.onService().isEmpty()) {
      return new Resolution(
          List.of(), Set.of(), new Resolution.Outcome.Pending("the primary has no copy"));
    }
    Side origin = entry.origin();
    return RelatedResolver.resolve(
        entry,
        new Primaries(
            primary.key().cluster(), primary.path(), primary.inKcp(), primary.onService().get()),
        new RelatedResolver.Scopes(
            type(origin, entry.originalType(), workspace).scope(),
            type(origin.other(), entry.copyType(), workspace).scope()),
        candidates(origin, entry.originalType(), primary.key().cluster()));
  }

  private Candidates candidates(Side side, ResourceType type, LogicalCluster cluster) {
    return new Candidates() {
      @Override
      public List<KubeObject> namespaces() {
        return objectsOf(Clusters.NAMESPACES, "");
      }

      @Override
      public List<KubeObject> objects(String namespace) {
        return objectsOf(type, namespace);
      }

      private List<KubeObject> objectsOf(ResourceType chosen, String namespace) {
        return switch (side) {
          case SERVICE -> watches.onService(chosen).inNamespace(namespace);
          case KCP ->
              watches.inKcp(chosen).inCluster(cluster).stream()
                  .filter(object -> object.namespace().equals(namespace))
                  .toList();
        };
      }
    };
  }
}
