package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.fleet.TypeWatches;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.related.decide.Candidates;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Objects of any type on both sides, as last seen. Thread-safe. */
final class RelatedObjects {
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final TypeWatches watches;

  RelatedObjects(TypeWatches watches) {
    this.watches = watches;
  }

  void open(Side side, ResourceType type) {
    switch (side) {
      case SERVICE -> watches.onService(type);
      case KCP -> watches.inKcp(type);
    }
  }

  boolean isSyncedOnService(ResourceType type) {
    return watches.onService(type).isSynced();
  }

  /** False without an endpoint. */
  boolean isSyncedInKcp(ResourceType type, Optional<URI> endpoint) {
    return endpoint.map(watches.inKcp(type)::isSynced).orElse(false);
  }

  /** By every endpoint; false without one. */
  boolean isSyncedInKcp(ResourceType type) {
    return watches.inKcp(type).isSynced();
  }

  /** For the workspace that the object is in; empty if it is in none, or is not there. */
  Optional<KubeClient> clientFor(Spot spot) {
    return spot.side() == Side.KCP
        ? watches.inKcp(spot.type()).clientFor(spot.key())
        : Optional.empty();
  }

  Optional<KubeFailure> lastFailure(Side side, ResourceType type) {
    return switch (side) {
      case SERVICE -> watches.onService(type).lastFailure();
      case KCP -> watches.inKcp(type).lastFailure();
    };
  }

  Optional<KubeObject> find(Spot spot) {
    String namespace = spot.place().namespace();
    return switch (spot.side()) {
      case SERVICE -> watches.onService(spot.type()).find(namespace, spot.place().name());
      case KCP ->
          watches
              .inKcp(spot.type())
              .find(new ObjectKey(spot.cluster(), namespace, spot.place().name()));
    };
  }

  Candidates candidates(Side side, ResourceType type, LogicalCluster cluster) {
    return new Candidates() {
      @Override
      public List<KubeObject> namespaces() {
        return objectsOf(NAMESPACES, "");
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
