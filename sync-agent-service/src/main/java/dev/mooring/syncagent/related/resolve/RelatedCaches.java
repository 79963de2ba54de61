package dev.mooring.syncagent.related.resolve;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.resolve.decide.Candidates;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Objects of any type on both sides, as last seen. Thread-safe. */
public final class RelatedCaches {
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final TypeWatches watches;

  public RelatedCaches(TypeWatches watches) {
    this.watches = watches;
  }

  public void open(Side side, ResourceType type) {
    switch (side) {
      case SERVICE -> watches.onService(type);
      case KCP -> watches.inKcp(type);
    }
  }

  public boolean isSyncedOnService(ResourceType type) {
    return watches.onService(type).isSynced();
  }

  /** False without an endpoint. */
  public boolean isSyncedInKcp(ResourceType type, Optional<URI> endpoint) {
    return endpoint.map(watches.inKcp(type)::isSynced).orElse(false);
  }

  /** By every endpoint; false without one. */
  public boolean isSyncedInKcp(ResourceType type) {
    return watches.inKcp(type).isSynced();
  }

  /** For the workspace that the object is in; empty if it is in none, or is not there. */
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
    String namespace = ref.namespace();
    return switch (ref.side()) {
      case SERVICE -> watches.onService(ref.type()).find(namespace, ref.name());
      case KCP ->
          watches.inKcp(ref.type()).find(new ObjectKey(ref.cluster(), namespace, ref.name()));
    };
  }

  public Candidates candidates(Side side, ResourceType type, LogicalCluster cluster) {
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
