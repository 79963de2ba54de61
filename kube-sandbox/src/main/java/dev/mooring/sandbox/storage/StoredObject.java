package dev.mooring.sandbox.storage;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One version of one object, as stored: in the storage version of its resource, with {@code
 * metadata.resourceVersion} set. A tree takes several times as much memory as its JSON text; so an
 * object of a store keeps its text, which is written once however many clients read it, and its
 * tree only while the {@link TreeCache} does. Thread-safe.
 */
public final class StoredObject {
  private final StorageKey key;
  private final long version;
  private final int footprint;
  // Null for an object that keeps its tree.
  private final @Nullable TreeCache trees;
  // At least one of both is there. Two threads may both make the same one.
  private volatile @Nullable KubeObject tree;
  private volatile byte @Nullable [] json;
  // Once a selector has asked for them.
  private volatile @Nullable Map<String, String> labels;
  private boolean readLately;

  /** One that is no store's own, and keeps its tree. */
  public StoredObject(StorageKey key, long version, KubeObject object) {
    this.key = key;
    this.version = version;
    this.tree = object;
    this.footprint = 0;
    this.trees = null;
  }

  /**
   * @param footprint bytes of memory without the tree, about
   * @param trees gets it once its write is done
   */
  StoredObject(StorageKey key, long version, KubeObject object, int footprint, TreeCache trees) {
    this.key = key;
    this.version = version;
    this.tree = object;
    this.footprint = footprint;
    this.trees = trees;
  }

  /** One that was kept as text. */
  StoredObject(StorageKey key, long version, byte[] json, TreeCache trees) {
    this.key = key;
    this.version = version;
    this.json = json;
    this.footprint = MemoryEstimate.ofText(json);
    this.trees = trees;
  }

  /** Bytes of memory without the tree, about; 0 for an object that is not the store's own. */
  int footprint() {
    return footprint;
  }

  public StorageKey key() {
    return key;
  }

  /** The version of the whole store that this write made. */
  public long version() {
    return version;
  }

  /** Equal, but not always the same instance. */
  public KubeObject object() {
    KubeObject known = tree;
    if (known == null) {
      return read();
    }
    readLately = true;
    return known;
  }

  private synchronized KubeObject read() {
    KubeObject known = tree;
    if (known != null) {
      return known;
    }
    KubeObject made = KubeJson.readObject(json());
    tree = made;
    if (trees != null) {
      trees.add(this);
    }
    return made;
  }

  /** With the metadata of {@link #object}, and perhaps without anything else. */
  public KubeObject withMetadata() {
    KubeObject known = tree;
    return known != null
        ? known
        : KubeObject.of(Map.of("metadata", Trees.mapOrEmpty(KubeJson.readAt(json(), "metadata"))));
  }

  /** As those of {@link #object}; found in the text where there is no tree, and kept. */
  public Map<String, String> labels() {
    Map<String, String> known = labels;
    if (known == null) {
      KubeObject object = tree;
      known =
          Map.copyOf(
              object != null
                  ? object.labels()
                  : Trees.textEntries(KubeJson.readAt(json(), "metadata", "labels")));
      labels = known;
    }
    return known;
  }

  /** UTF-8; shared, so not to be changed. */
  public byte[] json() {
    byte[] text = json;
    if (text == null) {
      KubeObject known = tree;
      // The text is set before the tree goes.
      text = known == null ? Objects.requireNonNull(json) : KubeJson.write(known);
      json = text;
    }
    return text;
  }

  /** Whether the tree was read since this was asked last; for the cache. */
  boolean forgetReading() {
    boolean was = readLately;
    readLately = false;
    return was;
  }

  /** Keeps the text alone; for the cache. */
  void dropTree() {
    byte[] text = json();
    assert text.length > 0;
    tree = null;
  }

  @Override
  public String toString() {
    return key + "@" + version;
  }
}
