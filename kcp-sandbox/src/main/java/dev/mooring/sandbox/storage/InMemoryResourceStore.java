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

/**
 * Objects in sorted maps that are read without a lock. A list is consistent all the same: it reads
 * the map as it finds it and then takes back what the {@link WatchLog} says was written meanwhile,
 * which is also how it answers for an older version.
 */
public final class InMemoryResourceStore implements ResourceStore {
  /** Enough for a client that was away for a moment; more would only hold dead objects. */
  public static final int WINDOW_DEFAULT = 10_000;

  /** The part of the memory that the events of all buckets may take. */
  private static final int HEAP_SHARE = 8;

  private final Map<Bucket, ConcurrentSkipListMap<Spot, StoredObject>> buckets =
      new ConcurrentHashMap<>();
  private final WatchLog log;

  /** As {@link ObjectKey}, but with room for the borders of ranges. */
  private record Spot(String cluster, String namespace, String name) implements Comparable<Spot> {
    private static final Comparator<Spot> ORDER =
        Comparator.comparing(Spot::cluster)
            .thenComparing(Spot::namespace)
            .thenComparing(Spot::name);
    // Sorts after every name that can be given.
    private static final String LAST = "\uffff";

    static Spot of(ObjectKey key) {
      return new Spot(key.cluster().name(), key.namespace(), key.name());
    }

    @Override
    public int compareTo(Spot other) {
      return ORDER.compare(this, other);
    }
  }

  public InMemoryResourceStore() {
    this(WINDOW_DEFAULT);
  }

  /**
   * @param window how many events each bucket remembers
   */
  public InMemoryResourceStore(int window) {
    this(window, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /**
   * @param window how many events each bucket remembers at most
   * @param bytesMax how many bytes of objects the events of all buckets may hold together, about:
   *     beyond it the bucket that holds most forgets its oldest
   */
  InMemoryResourceStore(int window, long bytesMax) {
    this.log = new WatchLog(window, bytesMax);
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
  public long lastEvent(Bucket bucket, Optional<LogicalCluster> cluster) {
    return log.lastEvent(bucket, cluster);
  }

  @Override
  public Optional<StoredObject> get(ObjectAddress address) {
    var objects = buckets.get(address.bucket());
    return objects == null
        ? Optional.empty()
        : Optional.ofNullable(objects.get(Spot.of(address.key())));
  }

  @Override
  public StoredObject create(ObjectAddress address, KubeObject object, List<Premise> premises) {
    var objects = objects(address.bucket());
    Spot spot = Spot.of(address.key());
    long footprint = Footprint.of(object.tree());
    return log.append(
            address.bucket(),
            version -> {
              premises.forEach(this::require);
              if (objects.containsKey(spot)) {
                throw new StoreConflict(Cause.EXISTS, address);
              }
              StoredObject made = stored(address, version, object, footprint);
              objects.put(spot, made);
              return new StoreEvent.Added(made);
            })
        .object();
  }

  @Override
  public StoredObject update(StoredObject expected, KubeObject object) {
    ObjectAddress address = expected.address();
    var objects = objects(address.bucket());
    Spot spot = Spot.of(address.key());
    long footprint = Footprint.of(object.tree());
    StoreEvent event =
        log.append(
            address.bucket(),
            version -> {
              requireSame(expected, objects.get(spot));
              if (unchanged(expected, object)) {
                return null;
              }
              StoredObject made = stored(address, version, object, footprint);
              objects.put(spot, made);
              return new StoreEvent.Modified(made, expected);
            });
    return event == null ? expected : event.object();
  }

  @Override
  public StoredObject delete(StoredObject expected, KubeObject last) {
    ObjectAddress address = expected.address();
    var objects = objects(address.bucket());
    Spot spot = Spot.of(address.key());
    long footprint = Footprint.of(last.tree());
    return log.append(
            address.bucket(),
            version -> {
              requireSame(expected, objects.get(spot));
              objects.remove(spot);
              return new StoreEvent.Deleted(stored(address, version, last, footprint), expected);
            })
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
    return new StoreList(version, takenBack(found, since));
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
  public Set<Bucket> buckets() {
    return Set.copyOf(buckets.keySet());
  }

  @Override
  public void open(Bucket bucket) {
    objects(bucket);
    log.open(bucket);
  }

  @Override
  public void closeWatches(ListScope scope) {
    log.closeWatches(scope);
  }

  /** Whatever the map showed, the first event after the version knows what was there before it. */
  private static List<StoredObject> takenBack(List<StoredObject> found, List<StoreEvent> since) {
    var before = new LinkedHashMap<Spot, Optional<StoredObject>>();
    for (StoreEvent event : since) {
      before.putIfAbsent(
          Spot.of(event.object().address().key()),
          switch (event) {
            case StoreEvent.Added _ -> Optional.empty();
            case StoreEvent.Modified(_, StoredObject previous) -> Optional.of(previous);
            case StoreEvent.Deleted(_, StoredObject previous) -> Optional.of(previous);
          });
    }
    var then = new TreeMap<Spot, StoredObject>();
    found.forEach(object -> then.put(Spot.of(object.address().key()), object));
    before.forEach((spot, object) ->
        object.ifPresentOrElse(was -> then.put(spot, was), () -> then.remove(spot)));
    return new ArrayList<>(then.values());
  }

  private ConcurrentNavigableMap<Spot, StoredObject> range(ListScope scope) {
    var objects = objects(scope.bucket());
    if (scope.cluster().isEmpty()) {
      // Wildcard lists of one namespace are refused before they get here; filter for safety.
      return scope.namespace().isEmpty() ? objects : filtered(objects, scope);
    }
    String cluster = scope.cluster().get().name();
    String namespace = scope.namespace();
    return namespace.isEmpty()
        ? objects.subMap(new Spot(cluster, "", ""), new Spot(cluster, Spot.LAST, ""))
        : objects.subMap(new Spot(cluster, namespace, ""), new Spot(cluster, namespace, Spot.LAST));
  }

  private static ConcurrentNavigableMap<Spot, StoredObject> filtered(
      ConcurrentNavigableMap<Spot, StoredObject> objects, ListScope scope) {
    var some = new ConcurrentSkipListMap<Spot, StoredObject>();
    objects.forEach((spot, object) -> {
      if (scope.covers(object.address().key())) {
        some.put(spot, object);
      }
    });
    return some;
  }

  private ConcurrentSkipListMap<Spot, StoredObject> objects(Bucket bucket) {
    var objects = buckets.get(bucket);
    return objects != null
        ? objects
        : buckets.computeIfAbsent(bucket, _ -> new ConcurrentSkipListMap<>());
  }

  private static StoredObject stored(
      ObjectAddress address, long version, KubeObject object, long footprint) {
    return new StoredObject(
        address,
        version,
        object.with(Long.toString(version), "metadata", "resourceVersion"),
        footprint);
  }

  private void require(Premise premise) {
    if (get(premise.address()).map(StoredObject::object).filter(premise.holds()).isEmpty()) {
      throw new StoreConflict(Cause.UNFOUNDED, premise.address());
    }
  }

  private static boolean unchanged(StoredObject expected, KubeObject object) {
    return object
        .with(Long.toString(expected.version()), "metadata", "resourceVersion")
        .equals(expected.object());
  }

  private static void requireSame(StoredObject expected, StoredObject current) {
    if (current == null) {
      throw new StoreConflict(Cause.MISSING, expected.address());
    }
    if (current.version() != expected.version()) {
      throw new StoreConflict(Cause.CHANGED, expected.address());
    }
  }
}
