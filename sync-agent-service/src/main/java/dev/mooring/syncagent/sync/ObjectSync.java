package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.related.RelatedSync;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The running sync of one published type, until {@link #close}. Every change on either side puts
 * the source's key into one queue; a key is worked on by one worker at a time. {@link
 * ObjectSyncFactory} starts it. Thread-safe.
 */
public final class ObjectSync {
  private final String publishedName;
  private final WorkQueue<ObjectKey> queue;
  private final SyncCaches caches;
  private final RelatedSync related;
  private final SyncStatus status;
  private final OrphanStateSweep orphanStates;
  private final SyncMeters meters;
  private final TypeWatches.Subscription sharedChanges;
  private final AtomicBoolean closed;
  private final AtomicBoolean swept = new AtomicBoolean();

  ObjectSync(
      String publishedName,
      WorkQueue<ObjectKey> queue,
      SyncCaches caches,
      RelatedSync related,
      SyncStatus status,
      OrphanStateSweep orphanStates,
      SyncMeters meters,
      TypeWatches.Subscription sharedChanges,
      AtomicBoolean closed) {
    this.publishedName = publishedName;
    this.queue = queue;
    this.caches = caches;
    this.related = related;
    this.status = status;
    this.orphanStates = orphanStates;
    this.meters = meters;
    this.sharedChanges = sharedChanges;
    this.closed = closed;
  }

  /** Receives what the syncs report, by the PublishedResource's name; must not block. */
  public interface Listener {
    /** A pass over an object ended: {@link SyncStatus#counts} may have changed. */
    void passed(String publishedName);

    /** Objects fail for a reason for which none did before, or none fails for one any more. */
    void failingChanged(String publishedName);

    /** The service cluster may serve the type in another form by now. */
    void typeMayHaveChanged(String publishedName);
  }

  /** A cache was filled, or all endpoints are known by now. */
  public void cacheFilled() {
    caches.filled();
    // Before all caches are filled every source would look like one that is gone.
    if (!closed.get() && isSynced() && swept.compareAndSet(false, true)) {
      Thread.ofVirtual().name("orphan-states").start(orphanStates::sweep);
    }
  }

  /** Whether every cache that decisions need is filled, for all objects. */
  public boolean isSynced() {
    return caches.areFilled();
  }

  /** Why a cache cannot be filled or kept up to date; empty if all can. */
  public Optional<KubeFailure> lastFailure() {
    return caches.lastFailure();
  }

  /** Lists all objects and copies again, and queues those that differ. */
  public void relist() {
    caches.relist();
  }

  /** Queues every object, as {@link #resync(ObjectKey)}. */
  public void resync() {
    caches.keys().forEach(this::resync);
  }

  /** Queues one object and compares its related objects' contents; false if there is none. */
  public boolean resync(ObjectKey key) {
    if (caches.sources().find(key).isEmpty() || !caches.work().owns(key.cluster())) {
      return false;
    }
    related.resync(key);
    return queue.add(key);
  }

  public SyncStatus status() {
    return status;
  }

  public String publishedName() {
    return publishedName;
  }

  /**
   * Lets writes under way end, for so long at most, then stops; nothing on either side is removed.
   * Idempotent.
   */
  public void close(Duration drain) {
    closed.set(true);
    sharedChanges.close();
    queue.close(drain);
    caches.close();
    related.close();
    meters.close();
  }
}
