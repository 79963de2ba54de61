package dev.mooring.runtime.watch;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one type as last seen, without their managedFields. Read by any thread, at any
 * time, without waiting; written by its {@link Informer} alone. A sequence of reads is not a
 * snapshot.
 */
public final class ObjectCache {
  private final ConcurrentSkipListMap<ObjectKey, KubeObject> objects =
      new ConcurrentSkipListMap<>();
  private final Map<String, Index> indexes;

  /**
   * Whether objects name their cluster, in an annotation that only kcp can write. On a Kubernetes
   * server anyone may have put the same annotation there.
   */
  private final boolean namesClusters;

  /**
   * @param server kcp has its clusters in every path
   */
  ObjectCache(URI server, Map<String, Function<KubeObject, ? extends Collection<String>>> indexes) {
    this.namesClusters = server.getPath().contains("/clusters/");
    var built = new ConcurrentHashMap<String, Index>();
    indexes.forEach((name, values) -> built.put(name, new Index(values)));
    this.indexes = Map.copyOf(built);
  }

  /** The key of an object from kcp: with the logical cluster that its annotation names. */
  public static ObjectKey keyOf(KubeObject object) {
    return key(object, object.logicalCluster().orElse(LogicalCluster.NONE));
  }

  /** The key under which an object is held here. */
  public ObjectKey key(KubeObject object) {
    return namesClusters ? keyOf(object) : key(object, LogicalCluster.NONE);
  }

  private static ObjectKey key(KubeObject object, LogicalCluster cluster) {
    return new ObjectKey(cluster, object.namespace(), object.name());
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

  /** As {@link #get}, where all objects are of one cluster, whether or not they name it. */
  public Optional<KubeObject> find(String namespace, String name) {
    return get(new ObjectKey(onlyCluster(), namespace, name));
  }

  /** Sorted by name, where all objects are of one cluster. */
  public List<KubeObject> inNamespace(String namespace) {
    return entriesFrom(onlyCluster(), namespace)
        .takeWhile(entry -> entry.getKey().namespace().equals(namespace))
        .map(Map.Entry::getValue)
        .toList();
  }

  private LogicalCluster onlyCluster() {
    Map.Entry<ObjectKey, KubeObject> any = objects.firstEntry();
    return any == null ? LogicalCluster.NONE : any.getKey().cluster();
  }

  /** Sorted by key. */
  public List<KubeObject> inCluster(LogicalCluster cluster) {
    // No namespace sorts before the empty one.
    return entriesFrom(cluster, "").map(Map.Entry::getValue).toList();
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

  /** What was there before; null if nothing was. If an index fails, nothing has changed. */
  KubeObject put(ObjectKey key, KubeObject object) {
    var values = new HashMap<Index, Set<String>>();
    indexes.values().forEach(index -> values.put(index, index.valuesOf(object)));
    KubeObject before = objects.put(key, object);
    values.forEach((index, now) -> index.move(key, now));
    return before;
  }

  /** What was there before; null if nothing was. */
  @Nullable KubeObject remove(ObjectKey key) {
    KubeObject before = objects.remove(key);
    indexes.values().forEach(index -> index.move(key, Set.of()));
    return before;
  }

  private Stream<Map.Entry<ObjectKey, KubeObject>> entriesFrom(
      LogicalCluster cluster, String namespace) {
    // "!" sorts before every character of a name.
    return objects.tailMap(new ObjectKey(cluster, namespace, "!"), true).entrySet().stream()
        .takeWhile(entry -> entry.getKey().cluster().equals(cluster));
  }

  /** Which keys have a value. */
  private static final class Index {
    private final Function<KubeObject, ? extends Collection<String>> values;

    /**
     * A set that changes takes much more memory than the set of one key, which most values have.
     */
    private final ConcurrentHashMap<String, Set<ObjectKey>> keys = new ConcurrentHashMap<>();

    /** The values of each key that has any; used by the writer alone. */
    private final Map<ObjectKey, Set<String>> held = new HashMap<>();

    Index(Function<KubeObject, ? extends Collection<String>> values) {
      this.values = values;
    }

    Set<ObjectKey> keys(String value) {
      return keys.getOrDefault(value, Set.of());
    }

    Set<String> valuesOf(KubeObject object) {
      return Set.copyOf(values.apply(object));
    }

    void move(ObjectKey key, Set<String> now) {
      Set<String> old = now.isEmpty() ? held.remove(key) : held.put(key, now);
      for (String value : now) {
        keys.merge(value, Set.of(key), Index::union);
      }
      if (old != null) {
        old.stream().filter(value -> !now.contains(value)).forEach(value -> leave(value, key));
      }
    }

    private void leave(String value, ObjectKey key) {
      keys.computeIfPresent(
          value,
          (_, present) -> {
            if (present instanceof ConcurrentSkipListSet<ObjectKey> several) {
              several.remove(key);
              return several.isEmpty() ? null : several;
            }
            return present.contains(key) ? null : present;
          });
    }

    private static Set<ObjectKey> union(Set<ObjectKey> present, Set<ObjectKey> more) {
      if (present.containsAll(more)) {
        return present;
      }
      Set<ObjectKey> all =
          present instanceof ConcurrentSkipListSet ? present : new ConcurrentSkipListSet<>(present);
      all.addAll(more);
      return all;
    }
  }
}
