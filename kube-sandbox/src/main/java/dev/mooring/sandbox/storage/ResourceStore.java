package dev.mooring.sandbox.storage;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Versioned objects, by resource. One counter numbers all writes; every read and watch is a view of
 * the same order of writes. An object is stored with {@code metadata.resourceVersion} set to its
 * version; nothing else of it is touched. Thread-safe. The store knows no rules of Kubernetes
 * beyond versions: writes by users go through the write pipeline, which ends here.
 */
public interface ResourceStore extends AutoCloseable {
  /**
   * The version of the last write. Never older than an event that a watch has delivered, though
   * other watches may still wait for that event.
   */
  long version();

  /**
   * The version of a bucket's last event, or a somewhat later one where that is long ago; 0 if
   * there was none since the store began.
   *
   * @param cluster whose events count; empty for all
   */
  long lastEvent(ResourceKey resourceKey, Optional<LogicalCluster> cluster);

  Optional<StoredObject> get(StorageKey key);

  /** Reads objects in their order, as many as it wants. */
  interface Reader<T> {
    /**
     * @param version of the whole store at which the objects are read
     * @param objects read while they are iterated over
     */
    T read(long version, Iterable<StoredObject> objects);
  }

  /**
   * What a reader makes of the objects of the scope, in the order of lists, without a copy of them
   * all; those of {@link ResourceKey#EVERYTHING} come by resource. Calls the reader again if the
   * scope was written to meanwhile, and has writes wait for it if that happens again and again;
   * throws {@link VersionExpired}.
   *
   * @param version as of which; empty for now
   * @param after only objects behind it; empty for all
   */
  <T> T read(ListScope scope, OptionalLong version, Optional<ObjectKey> after, Reader<T> reader);

  /** All objects of the scope now. */
  default StoreList list(ListScope scope) {
    return read(scope, OptionalLong.empty(), Optional.empty(), StoreList::of);
  }

  /** The events of the scope after the version; throws {@link VersionExpired}. */
  StoreWatch watch(ListScope scope, long afterVersion);

  /** As {@link #version}, but waits until every watch has the events up to it in its queue. */
  long deliveredVersion();

  /** Throws {@link StoreConflict} if the key is taken. */
  default StoredObject create(StorageKey key, KubeObject object) {
    return create(key, object, List.of());
  }

  /**
   * As {@link #create(StorageKey, KubeObject)}, if all preconditions hold: none of them can cease
   * to between its being asked about and the object's being there.
   */
  StoredObject create(StorageKey key, KubeObject object, List<Precondition> preconditions);

  /**
   * Replaces the very version that was read. An object equal to the stored one writes nothing and
   * makes no event. Throws {@link StoreConflict} if something else is stored by now.
   */
  StoredObject update(StoredObject expected, KubeObject object);

  /**
   * Removes the very version that was read. The answer and the event carry {@code last}, such as
   * the object with its deletion timestamp, under the version of the deletion. Throws {@link
   * StoreConflict} if something else is stored by now.
   */
  StoredObject delete(StoredObject expected, KubeObject last);

  /**
   * How many objects the scope has now. Of one namespace it costs nothing after the first time:
   * writes then keep count.
   */
  long count(ListScope scope);

  /** All objects of the scope as they were; throws {@link VersionExpired}. */
  default StoreList listAt(ListScope scope, long version) {
    return read(scope, OptionalLong.of(version), Optional.empty(), StoreList::of);
  }

  /** The resources that were ever written to or opened. */
  Set<ResourceKey> resourceKeys();

  /**
   * The bucket's history begins now: earlier versions answer {@link VersionExpired}. Does nothing
   * to a resource that was used before; one that is used without being opened has its whole
   * history.
   */
  void open(ResourceKey resourceKey);

  /**
   * Ends the watches of the scope without an event, such as when a resource is no longer served.
   */
  void closeWatches(ListScope scope);

  /** All objects, between two writes. */
  default StoreList snapshot() {
    return list(ListScope.everywhere(ResourceKey.EVERYTHING));
  }

  /**
   * Writes what differs from the snapshot, under new versions and with events for it; other writes
   * wait meanwhile.
   */
  void restore(StoreList snapshot);

  /**
   * False once a write could not be kept in its file, as on a full disk: none can be from then on.
   */
  boolean isWritable();

  /** Ends its file, if it has one; nothing may be written then. */
  @Override
  void close();
}
