package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;

/**
 * What a shard has at the cache server. Thread-safe.
 *
 * @param store of the cache server, with what all shards share
 * @param writers has no permit while the cache server is down: writes then wait
 */
public record Replicas(String shard, ResourceStore store, Semaphore writers, InstantSource clock) {
  /** On a replica: whose it is. */
  public static final String SHARD = "kcp.io/shard";

  private static final String ORIGINAL_VERSION = "cache.kcp.io/original-resource-version";
  private static final String ORIGINAL_UID = "cache.kcp.io/original-resource-UID";

  /** The shard of a replica; empty for an object that is none. */
  public static String shardOf(KubeObject replica) {
    return replica.annotation(SHARD).orElse("");
  }

  /** The object with the annotations of a replica. */
  KubeObject marked(KubeObject original, long version) {
    return original
        .with(shard, "metadata", "annotations", SHARD)
        .with(Long.toString(version), "metadata", "annotations", ORIGINAL_VERSION)
        .with(original.uid(), "metadata", "annotations", ORIGINAL_UID);
  }

  public List<StoredObject> list(ResourceKey resourceKey, LogicalCluster cluster) {
    return store.list(ListScope.of(resourceKey, cluster)).items();
  }

  /**
   * Writes a replica with a uid and a time of creation of its own.
   *
   * @param served the original in the version to replicate
   * @param replica the one to replace; empty if there is none
   */
  public void write(
      ResourceKey resourceKey,
      StoredObject original,
      KubeObject served,
      Optional<StoredObject> replica)
      throws InterruptedException {
    KubeObject marked = marked(served, original.version());
    writers.acquire();
    try {
      if (replica.isPresent()) {
        KubeObject before = replica.get().object();
        store.update(
            replica.get(),
            marked
                .withPartOf(before, "metadata", "uid")
                .withPartOf(before, "metadata", "creationTimestamp"));
      } else {
        StorageKey key = original.key();
        store.create(
            new StorageKey(resourceKey, key.cluster(), key.namespace(), key.name()),
            marked
                .with(UUID.randomUUID().toString(), "metadata", "uid")
                .with(
                    clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(),
                    "metadata",
                    "creationTimestamp"));
      }
    } finally {
      writers.release();
    }
  }

  public void delete(StoredObject replica) throws InterruptedException {
    writers.acquire();
    try {
      store.delete(replica, replica.object());
    } finally {
      writers.release();
    }
  }
}
