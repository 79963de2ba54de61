package dev.mooring.runtime.export;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Objects of one type in consumers' workspaces, as last seen. Thread-safe. */
public interface MultiShardLister {
  /** Meaningful only while the object's endpoint {@link #isSynced(ObjectKey) is synced}. */
  Optional<KubeObject> find(ObjectKey key);

  /**
   * Whether everything that the endpoint of this object's workspace has was listed once; false if
   * no endpoint shows the object.
   */
  boolean isSynced(ObjectKey key);

  /** Whether everything that this endpoint has was listed once. */
  boolean isSynced(URI endpoint);

  /**
   * Whether there is an endpoint, every shard's is known, and everything that any endpoint has was
   * listed once.
   */
  boolean isSynced();

  /** Of any endpoint that cannot be followed at the moment. */
  Optional<KubeFailure> lastFailure();

  List<ObjectKey> keys();

  /** Sorted by namespace and name. */
  List<KubeObject> inCluster(LogicalCluster cluster);

  default List<ObjectKey> keysIn(LogicalCluster cluster) {
    return inCluster(cluster).stream()
        .map(object -> new ObjectKey(cluster, object.namespace(), object.name()))
        .toList();
  }

  /** The endpoint through which an object is seen; empty if it is not. */
  Optional<URI> endpointOf(ObjectKey key);

  /** A client for the workspace, through the endpoint by which this object of it is seen. */
  Optional<KubeClient> clientFor(ObjectKey key);

  /** Clients for a workspace by every endpoint, where it is not known which of them has it. */
  List<KubeClient> clientsFor(LogicalCluster cluster);

  /** For lists over all workspaces, one for each endpoint. */
  List<KubeReader> everywhere();
}
