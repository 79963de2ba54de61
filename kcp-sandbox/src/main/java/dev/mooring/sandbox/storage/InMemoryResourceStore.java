package dev.mooring.sandbox.storage;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.storage.StoreConflict.Cause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Objects in sorted maps that are read without a lock. A list is consistent all the same: it reads
 * the map as it finds it and then takes back what the {@link WatchLog} says was written meanwhile,
 * which is also how it answers for an older version.
 */
public final class InMemoryResourceStore implements ResourceStore {
  /** Enough for a client that was away for a moment; more would only hold dead objects. */
  public static final int WINDOW_DEFAULT = 10_000;

  /** The part of the memory that the events of all resources may take. */
  private static final int HEAP_SHARE = 8;

  private static final long VERSION_FIRST = 1;

  private final Map<ResourceKey, ConcurrentSkipListMap<SortKey, StoredObject>> resourceKeys =
      new ConcurrentHashMap<>();
  private final WatchLog log;

  /** As {@link ObjectKey}, but with room for the borders of ranges. */
  private record SortKey(String cluster, String namespace, String name)
      implements Comparable<SortKey> {
    private static final Comparator<SortKey> ORDER =
        Comparator.comparing(SortKey::cluster)
            .thenComparing(SortKey::namespace)
            .thenComparing(SortKey::name);
    // Sorts after every name that can be given.
    private static final String LAST = "\uffff";

    static SortKey of(ObjectKey key) {
      return new SortKey(key.cluster().name(), key.namespace(), key.name());
    }

    @Override
    public int compareTo(SortKey other) {
      return ORDER.compare(this, other);
    }
  }

  public InMemoryResourceStore() {
    this(WINDOW_DEFAULT);
  }

  /**
   * One whose versions begin behind the given one, at least 1, as if it had been written before.
   */
  public static InMemoryResourceStore beginningAt(long version) {
    return new InMemoryResourceStore(WINDOW_DEFAULT, bytesMax(), version);
  }

  private static long bytesMax() {
    return Runtime.getRuntime().maxMemory() / HEAP_SHARE;
  }

  /**
   * @param window how many events each resource remembers
   */
  public InMemoryResourceStore(int window) {
    this(window, bytesMax());
  }

  /**
   * @param window how many events each resource remembers at most
   * @param bytesMax how many bytes of objects the events of all resources may hold together, about:
   *     beyond it the resource that holds most forgets its oldest
   */
  InMemoryResourceStore(int window, long bytesMax) {
    this(window, bytesMax, VERSION_FIRST);
  }

  private InMemoryResourceStore(int window, long bytesMax, long version) {
    this.log = new WatchLog(window, bytesMax, version);
  }

  @Override
  public long version() {
    return log.version();
  }

  @Override
  public long deliveredVersion() {
    return log.deliveredVersion();
  }

  @Override
  public long lastEvent(ResourceKey resourceKey, Optional<LogicalCluster> cluster) {
    return log.lastEvent(resourceKey, cluster);
  }

  @Override
  public Optional<StoredObject> get(StorageKey key) {
    var objects = resourceKeys.get(key.resourceKey());
    return objects == null
        ? Optional.empty()
        : Optional.ofNullable(objects.get(SortKey.of(key.objectKey())));
  }

  @Override
  public StoredObject create(StorageKey key, KubeObject object, List<Precondition> preconditions) {
    var objects = objects(key.resourceKey());
    SortKey sortKey = SortKey.of(key.objectKey());
    long footprint = MemoryEstimate.of(object.tree());
    return log.append(
            key.resourceKey(),
            version -> {
              preconditions.forEach(this::require);
              if (objects.containsKey(sortKey)) {
                throw new StoreConflict(Cause.EXISTS, key);
              }
              StoredObject made = stored(key, version, object, footprint);
              objects.put(sortKey, made);
              return Optional.of(new StoreEvent.Added(made));
            })
        .orElseThrow()
        .object();
  }

  @Override
  public StoredObject update(StoredObject expected, KubeObject object) {
    StorageKey key = expected.key();
    var objects = objects(key.resourceKey());
    SortKey sortKey = SortKey.of(key.objectKey());
    long footprint = MemoryEstimate.of(object.tree());
    return log.append(
            key.resourceKey(),
            version -> {
              requireSame(expected, objects.get(sortKey));
              if (unchanged(expected, object)) {
                return Optional.empty();
              }
              StoredObject made = stored(key, version, object, footprint);
              objects.put(sortKey, made);
              return Optional.of(new StoreEvent.Modified(made, expected));
            })
        .map(StoreEvent::object)
        .orElse(expected);
  }

  @Override
  public StoredObject delete(StoredObject expected, KubeObject last) {
    StorageKey key = expected.key();
    var objects = objects(key.resourceKey());
    SortKey sortKey = SortKey.of(key.objectKey());
    long footprint = MemoryEstimate.of(last.tree());
    return log.append(
            key.resourceKey(),
            version -> {
              requireSame(expected, objects.get(sortKey));
              objects.remove(sortKey);
              return Optional.of(
                  new StoreEvent.Deleted(stored(key, version, last, footprint), expected));
            })
        .orElseThrow()
        .object();
  }

  @Override
  public StoreList list(ListScope scope) {
    while (true) {
      try {
        return listAt(scope, log.version());
      } catch (VersionExpired overtaken) {
        // So much was written while the map was read that the log does not hold it all.
        Thread.onSpinWait();
      }
    }
  }

  @Override
  public StoreList listAt(ListScope scope, long version) {
    var found = new ArrayList<StoredObject>(range(scope).values());
    List<StoreEvent> since = log.since(scope, version);
    if (since.isEmpty()) {
      return new StoreList(version, found);
    }
    return new StoreList(version, rolledBack(found, since));
  }

  @Override
  public StoreWatch watch(ListScope scope, long afterVersion) {
    return log.watch(scope, afterVersion);
  }

  @Override
  public StoreWatch watchAll() {
    return log.watchAll();
  }

  @Override
  public Set<ResourceKey> resourceKeys() {
    return Set.copyOf(resourceKeys.keySet());
  }

  @Override
  public void open(ResourceKey resourceKey) {
    objects(resourceKey);
    log.open(resourceKey);
  }

  @Override
  public void closeWatches(ListScope scope) {
    log.closeWatches(scope);
  }

  /**
   * The first event of a key after the version holds the object before it, independent of the map.
   */
  private static List<StoredObject> rolledBack(List<StoredObject> found, List<StoreEvent> since) {
    var before = new LinkedHashMap<SortKey, Optional<StoredObject>>();
    for (StoreEvent event : since) {
      before.putIfAbsent(
          SortKey.of(event.object().key().objectKey()),
          switch (event) {
            case StoreEvent.Added _ -> Optional.empty();
            case StoreEvent.Modified(_, StoredObject previous) -> Optional.of(previous);
            case StoreEvent.Deleted(_, StoredObject previous) -> Optional.of(previous);
          });
    }
    var then = new TreeMap<SortKey, StoredObject>();
    found.forEach(object -> then.put(SortKey.of(object.key().objectKey()), object));
    before.forEach((sortKey, object) ->
        object.ifPresentOrElse(was -> then.put(sortKey, was), () -> then.remove(sortKey)));
    return new ArrayList<>(then.values());
  }

  private ConcurrentNavigableMap<SortKey, StoredObject> range(ListScope scope) {
    var objects = objects(scope.resourceKey());
    if (scope.cluster().isEmpty()) {
      // Wildcard lists of one namespace are refused before they get here; filter for safety.
      return scope.namespace().isEmpty() ? objects : filtered(objects, scope);
    }
    String cluster = scope.cluster().get().name();
    String namespace = scope.namespace();
    return namespace.isEmpty()
        ? objects.subMap(new SortKey(cluster, "", ""), new SortKey(cluster, SortKey.LAST, ""))
        : objects.subMap(
            new SortKey(cluster, namespace, ""), new SortKey(cluster, namespace, SortKey.LAST));
  }

  private static ConcurrentNavigableMap<SortKey, StoredObject> filtered(
      ConcurrentNavigableMap<SortKey, StoredObject> objects, ListScope scope) {
    var some = new ConcurrentSkipListMap<SortKey, StoredObject>();
    objects.forEach((sortKey, object) -> {
      if (scope.covers(object.key().objectKey())) {
        some.put(sortKey, object);
      }
    });
    return some;
  }

  private ConcurrentSkipListMap<SortKey, StoredObject> objects(ResourceKey resourceKey) {
    var objects = resourceKeys.get(resourceKey);
    return objects != null
        ? objects
        : resourceKeys.computeIfAbsent(resourceKey, _ -> new ConcurrentSkipListMap<>());
  }

  private static StoredObject stored(
      StorageKey key, long version, KubeObject object, long footprint) {
    return new StoredObject(
        key,
        version,
        object.with(Long.toString(version), "metadata", "resourceVersion"),
        footprint);
  }

  private void require(Precondition precondition) {
    if (get(precondition.key()).map(StoredObject::object).filter(precondition.holds()).isEmpty()) {
      throw new StoreConflict(Cause.PRECONDITION_FAILED, precondition.key());
    }
  }

  private static boolean unchanged(StoredObject expected, KubeObject object) {
    return object
        .with(Long.toString(expected.version()), "metadata", "resourceVersion")
        .equals(expected.object());
  }

  private static void requireSame(StoredObject expected, @Nullable StoredObject current) {
    if (current == null) {
      throw new StoreConflict(Cause.MISSING, expected.key());
    }
    if (current.version() != expected.version()) {
      throw new StoreConflict(Cause.CHANGED, expected.key());
    }
  }
}
