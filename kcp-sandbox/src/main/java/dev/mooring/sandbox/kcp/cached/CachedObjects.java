package dev.mooring.sandbox.kcp.cached;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.object.decide.Annotations;
import dev.mooring.sandbox.kcp.object.decide.CachedResources;
import dev.mooring.sandbox.kcp.shard.Replicas;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoreView;
import dev.mooring.sandbox.storage.StoreWatch;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.StreamSupport;

/**
 * What a CachedResource has at the cache server, read as if it were of the logical cluster and the
 * resource that a reader names.
 *
 * @param bucket where the cache server has it
 * @param provider the logical cluster of the CachedResource
 */
record CachedObjects(StoreView replicas, ResourceKey bucket, LogicalCluster provider)
    implements StoreView {
  /** Where the cache server has what a CachedResource caches, once its identity is known. */
  static ResourceKey bucket(KubeObject cached) {
    return new ResourceKey(
        cached.text("spec", "group"),
        cached.text("spec", "resource"),
        CachedResources.identity(cached));
  }

  /** As whose, and of which resource, the objects are read. */
  private record Reading(ResourceKey resourceKey, LogicalCluster cluster) {
    static Reading of(ListScope scope) {
      return new Reading(scope.resourceKey(), scope.cluster().orElseThrow());
    }

    StoredObject shown(StoredObject replica) {
      KubeObject object =
          Annotations.without(
              replica.object(), Replicas.SHARD, Replicas.ORIGINAL_VERSION, Replicas.ORIGINAL_UID);
      return new StoredObject(
          new StorageKey(resourceKey, cluster, "", replica.key().name()),
          replica.version(),
          object.with(cluster.name(), "metadata", "annotations", LogicalCluster.ANNOTATION));
    }

    StoreEvent shown(StoreEvent event) {
      return switch (event) {
        case StoreEvent.Added(StoredObject object) -> new StoreEvent.Added(shown(object));
        case StoreEvent.Modified(StoredObject object, StoredObject previous) ->
            new StoreEvent.Modified(shown(object), shown(previous));
        case StoreEvent.Deleted(StoredObject object, StoredObject previous) ->
            new StoreEvent.Deleted(shown(object), shown(previous));
      };
    }
  }

  private ListScope all() {
    return ListScope.of(bucket, provider);
  }

  @Override
  public long version() {
    return replicas.version();
  }

  @Override
  public long lastEvent(ResourceKey resourceKey, Optional<LogicalCluster> cluster) {
    return replicas.lastEvent(bucket, Optional.of(provider));
  }

  @Override
  public Optional<StoredObject> get(StorageKey key) {
    return replicas
        .get(new StorageKey(bucket, provider, "", key.name()))
        .map(new Reading(key.resourceKey(), key.cluster())::shown);
  }

  @Override
  public <T> T read(
      ListScope scope, OptionalLong version, Optional<ObjectKey> after, Reader<T> reader) {
    Reading reading = Reading.of(scope);
    return replicas.read(
        all(),
        version,
        after.map(key -> new ObjectKey(provider, "", key.name())),
        (at, objects) ->
            reader.read(
                at,
                () ->
                    StreamSupport.stream(objects.spliterator(), false)
                        .map(reading::shown)
                        .iterator()));
  }

  @Override
  public StoreWatch watch(ListScope scope, long afterVersion) {
    Reading reading = Reading.of(scope);
    StoreWatch watch = replicas.watch(all(), afterVersion);
    return new StoreWatch() {
      @Override
      public Optional<StoreEvent> next(Duration wait) throws InterruptedException {
        return watch.next(wait).map(reading::shown);
      }

      @Override
      public long progress() {
        return watch.progress();
      }

      @Override
      public void onCut(Runnable action) {
        watch.onCut(action);
      }

      @Override
      public void close() {
        watch.close();
      }
    };
  }
}
