package dev.mooring.runtime.watch;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The objects of one type as last seen. Read by any thread, at any time, without waiting; written
 * by its {@link Informer} alone. A sequence of reads is not a snapshot.
 */
public final class ObjectCache {
  private final ConcurrentSkipListMap<ObjectKey, KubeObject> objects =
      new ConcurrentSkipListMap<>();
  private final Map<String, Index> indexes;

  ObjectCache(Map<String, Function<KubeObject, ? extends Collection<String>>> indexes) {
    var built = new ConcurrentHashMap<String, Index>();
    indexes.forEach((name, values) -> built.put(name, new Index(values)));
    this.indexes = Map.copyOf(built);
  }

  /**
   * The key under which an object is held: its logical cluster as kcp says, {@link
   * LogicalCluster#NONE} where a server has none.
   */
  public static ObjectKey keyOf(KubeObject object) {
    return new ObjectKey(
        object.logicalCluster().orElse(LogicalCluster.NONE), object.namespace(), object.name());
  }

  /** Empty if the object is not there; ask whether the informer is synced before relying on it. */
  public Optional<KubeObject> get(ObjectKey key) {
    return Optional.ofNullable(objects.get(key));
  }

  /** Sorted by key. */
  public List<KubeObject> all() {
    return List.copyOf(objects.values());
  }

  /** Sorted. */
  public List<ObjectKey> keys() {
    return List.copyOf(objects.keySet());
  }

  /** Sorted by key. */
  public List<KubeObject> inCluster(LogicalCluster cluster) {
    return clusterEntries(cluster).map(Map.Entry::getValue).toList();
  }

  /**
   * Sorted by key.
   *
   * @throws IllegalArgumentException if the informer was not given an index of this name
   */
  public List<KubeObject> indexed(String index, String value) {
    Index held = indexes.get(index);
    if (held == null) {
      throw new IllegalArgumentException("no index " + index + "; there is " + indexes.keySet());
    }
    return held.keys(value).stream().map(objects::get).filter(object -> object != null).toList();
  }

  public int size() {
    return objects.size();
  }

  /** What was there before; null if nothing was. */
  KubeObject put(ObjectKey key, KubeObject object) {
    KubeObject before = objects.put(key, object);
    indexes.values().forEach(index -> index.move(key, before, object));
    return before;
  }

  /** What was there before; null if nothing was. */
  KubeObject remove(ObjectKey key) {
    KubeObject before = objects.remove(key);
    indexes.values().forEach(index -> index.move(key, before, null));
    return before;
  }

  private Stream<Map.Entry<ObjectKey, KubeObject>> clusterEntries(LogicalCluster cluster) {
    // "!" sorts before every character of a name, and no namespace sorts before the empty one.
    return objects.tailMap(new ObjectKey(cluster, "", "!"), true).entrySet().stream()
        .takeWhile(entry -> entry.getKey().cluster().equals(cluster));
  }

  /** Which keys have a value. */
  private static final class Index {
    private final Function<KubeObject, ? extends Collection<String>> values;
    private final ConcurrentHashMap<String, ConcurrentSkipListSet<ObjectKey>> keys =
        new ConcurrentHashMap<>();

    Index(Function<KubeObject, ? extends Collection<String>> values) {
      this.values = values;
    }

    Set<ObjectKey> keys(String value) {
      ConcurrentSkipListSet<ObjectKey> found = keys.get(value);
      return found == null ? Set.of() : found;
    }

    void move(ObjectKey key, KubeObject before, KubeObject after) {
      Set<String> old = before == null ? Set.of() : Set.copyOf(values.apply(before));
      Set<String> now = after == null ? Set.of() : Set.copyOf(values.apply(after));
      for (String value : now) {
        if (!old.contains(value)) {
          keys.computeIfAbsent(value, _ -> new ConcurrentSkipListSet<>()).add(key);
        }
      }
      for (String value : old) {
        if (!now.contains(value)) {
          keys.computeIfPresent(
              value,
              (_, held) -> {
                held.remove(key);
                return held.isEmpty() ? null : held;
              });
        }
      }
    }
  }
}
