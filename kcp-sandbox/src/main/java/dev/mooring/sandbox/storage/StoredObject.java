package dev.mooring.sandbox.storage;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import org.jspecify.annotations.Nullable;

/**
 * One version of one object, as stored: in the storage version of its resource, with {@code
 * metadata.resourceVersion} set. Holds its JSON text after the first read, so that a watch event is
 * written once, however many watch. Thread-safe.
 */
public final class StoredObject {
  private final StorageKey key;
  private final long version;
  private final KubeObject object;
  private final long footprint;
  // A benign race: two threads may both write the same text.
  private volatile byte @Nullable [] json;

  public StoredObject(StorageKey key, long version, KubeObject object) {
    this(key, version, object, 0);
  }

  StoredObject(StorageKey key, long version, KubeObject object, long footprint) {
    this.key = key;
    this.version = version;
    this.object = object;
    this.footprint = footprint;
  }

  /** Bytes of memory, about; 0 for an object that is not the store's own. */
  long footprint() {
    return footprint;
  }

  public StorageKey key() {
    return key;
  }

  /** The version of the whole store that this write made. */
  public long version() {
    return version;
  }

  public KubeObject object() {
    return object;
  }

  /** UTF-8; shared, so not to be changed. */
  public byte[] json() {
    byte[] text = json;
    if (text == null) {
      text = KubeJson.write(object);
      json = text;
    }
    return text;
  }

  @Override
  public String toString() {
    return key + "@" + version;
  }
}
