package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.export.MultiShardInformer;
import dev.mooring.runtime.lease.Share;
import dev.mooring.syncagent.clusters.ReducedObjects;
import dev.mooring.syncagent.clusters.ServiceObjects;
import dev.mooring.syncagent.clusters.WorkShare;
import dev.mooring.syncagent.content.LastKnownStates;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The caches that decisions about one published type are made on, and the keys that wait until
 * these are filled. Bounded by the objects. Thread-safe.
 *
 * @param sourceNamespaces empty if no filter asks for them
 */
record SyncCaches(
    MultiShardInformer sources,
    Optional<MultiShardInformer> sourceNamespaces,
    ServiceObjects copies,
    ServiceObjects targetNamespaces,
    LastKnownStates states,
    PostponedKeys waiting,
    WorkShare work)
    implements PrimaryObjectReconciler.Caches {
  @Override
  public boolean areFilledFor(ObjectKey key) {
    return sources.isSynced(key)
        && areServiceCachesFilled()
        && sourceNamespaces
            .map(namespaces -> sources.endpointOf(key).map(namespaces::isSynced).orElse(false))
            .orElse(true);
  }

  @Override
  public boolean areFilled() {
    return sources.isSynced()
        && areServiceCachesFilled()
        && sourceNamespaces.map(MultiShardInformer::isSynced).orElse(true);
  }

  private boolean areServiceCachesFilled() {
    return copies.isSynced() && states.isSynced() && targetNamespaces.isSynced();
  }

  @Override
  public void requeueOnceFilled(ObjectKey key) {
    waiting.add(key);
    // A cache may have been filled just before the key waited for that.
    if (areFilledFor(key) || areFilled()) {
      waiting.requeue(key);
    }
  }

  /** The sources that this replica works on. */
  Stream<ObjectKey> keys() {
    return sources.keys().stream().filter(key -> work.owns(key.cluster()));
  }

  int objects() {
    return work.share().equals(Share.EVERYTHING) ? sources.size() : (int) keys().count();
  }

  int ownCopies() {
    return work.share().equals(Share.EVERYTHING)
        ? copies.size()
        : (int) copies.all().stream().filter(copy -> !ReducedObjects.isReduced(copy)).count();
  }

  /** What is cached stays in use meanwhile. */
  void relist() {
    sources.relist();
    copies.relist();
  }

  /** A cache was filled: keys that still lack another one come back. */
  void filled() {
    waiting.requeueAll();
  }

  /** Why a cache cannot be filled or kept up to date; empty if all can. */
  Optional<KubeFailure> lastFailure() {
    return sources
        .lastFailure()
        .or(copies::lastFailure)
        .or(states::lastFailure)
        .or(targetNamespaces::lastFailure)
        .or(() -> sourceNamespaces.flatMap(MultiShardInformer::lastFailure));
  }

  /** Stops the watches of this type alone. */
  void close() {
    sources.close();
    sourceNamespaces.ifPresent(MultiShardInformer::close);
    copies.close();
  }
}
