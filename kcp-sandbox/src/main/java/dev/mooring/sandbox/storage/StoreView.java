package dev.mooring.sandbox.storage;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.util.Optional;
import java.util.OptionalLong;

/** What can be read of a store. Thread-safe. */
public interface StoreView {
  /**
   * The version of the last write. Never older than an event that a watch has delivered, though
   * other watches may still wait for that event.
   */
  long version();

  /**
   * The version of a bucket's last event; 0 if there was none since the store began.
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
   * all. Calls the reader again if something was written meanwhile; throws {@link VersionExpired}.
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
}
