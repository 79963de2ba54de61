package dev.mooring.sandbox.storage;

import com.google.common.collect.Iterables;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.storage.StoreConflict.Cause;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Objects in sorted maps that are read without a lock. A list is consistent all the same: it reads
 * the map as it finds it and then takes back what the {@link WatchLog} says was written meanwhile,
 * which is also how it answers for an older version.
 */
public final class InMemoryResourceStore implements ResourceStore {
  /** Enough for a client that was away for a moment; more would only hold dead objects. */
  public static final int WINDOW_DEFAULT = 10_000;

  /** The part of the memory that the events of all resources may take, and its bound. */
  private static final int HEAP_SHARE = 8;

  private static final long HISTORY_MAX = 64L << 20;

  /** The part of the memory that trees may take besides the objects' texts, and its bound. */
  private static final int TREES_SHARE = 32;

  private static final long TREES_MAX = 8L << 20;

  /** Beyond so many namespaces' counts all are forgotten, and counted again when asked for. */
  private static final int COUNTS_MAX = 20_000;

  /** How often a list is read while others write, before writes wait for it. */
  private static final int ATTEMPTS_MAX = 4;

  /** Sorts before every namespace and name that can be given, and after. */
  private static final String FIRST = "\u0000";

  private static final String LAST = "\uffff";

  private static final Comparator<StoredObject> IN_ORDER =
      Comparator.comparing(object -> object.key().objectKey());

  private final Map<ResourceKey, ConcurrentSkipListMap<ObjectKey, StoredObject>> resourceKeys =
      new ConcurrentHashMap<>();
  private final WatchLog log;
  private final Optional<StoreFile> file;
  private final TreeCache trees;

  /** Of namespaces that were asked for; changed under the lock of all writes. */
  private final Map<ListScope, AtomicLong> counts = new ConcurrentHashMap<>();

  public InMemoryResourceStore() {
    this(WINDOW_DEFAULT);
  }

  InMemoryResourceStore(int window) {
    this(window, bytesMax());
  }

  /**
   * @param window how many events each resource remembers at most
   * @param bytesMax how many bytes of objects the events of all resources may hold together, about:
   *     beyond it the resource that holds most forgets its oldest
   */
  InMemoryResourceStore(int window, long bytesMax) {
    this(new WatchLog(window, bytesMax, 1, 0), Optional.empty(), trees());
  }

  InMemoryResourceStore(WatchLog log, Optional<StoreFile> file, TreeCache trees) {
    this.log = log;
    this.file = file;
    this.trees = trees;
  }

  /**
   * One whose versions begin behind the given one, at least 1, as if it had been written before.
   */
  public static InMemoryResourceStore beginningAt(long version) {
    return new InMemoryResourceStore(
        new WatchLog(WINDOW_DEFAULT, bytesMax(), version, 0), Optional.empty(), trees());
  }

  private static long bytesMax() {
    return Math.min(HISTORY_MAX, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  private static TreeCache trees() {
    return new TreeCache(Math.min(TREES_MAX, Runtime.getRuntime().maxMemory() / TREES_SHARE));
  }

  /**
   * A store whose writes are in a file before a reader sees them, with the objects of that file.
   * Its versions go on where the file's end; the events before are forgotten.
   *
   * @param file made if missing
   * @param version before the first write, if it is made
   * @throws UncheckedIOException if it cannot be read or written, or another process has it open
   */
  public static InMemoryResourceStore in(Path file, long version) {
    return in(file, version, WINDOW_DEFAULT);
  }

  static InMemoryResourceStore in(Path file, long version, int window) {
    StoreFile opened = StoreFile.open(file);
    Optional<Long> last = opened.version();
    var log = new WatchLog(window, bytesMax(), last.orElse(version), last.orElse(0L));
    TreeCache trees = trees();
    var store = new InMemoryResourceStore(log, Optional.of(opened), trees);
    opened.read(
        trees,
        object -> store.objects(object.key().resourceKey()).put(object.key().objectKey(), object));
    return store;
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
    return objects == null ? Optional.empty() : Optional.ofNullable(objects.get(key.objectKey()));
  }

  @Override
  public StoredObject create(StorageKey key, KubeObject given, List<Precondition> preconditions) {
    return write(
            key,
            StorableForm.of(given),
            (stored, made) -> {
              preconditions.forEach(this::require);
              if (stored != null) {
                throw new StoreConflict(Cause.EXISTS, key);
              }
              return Optional.of(new StoreEvent.Added(made.get()));
            })
        .orElseThrow()
        .object();
  }

  @Override
  public StoredObject update(StoredObject expected, KubeObject given) {
    KubeObject object = StorableForm.of(given);
    return write(
            expected.key(),
            object,
            (stored, made) -> {
              requireSame(expected, stored);
              return unchanged(expected, object)
                  ? Optional.empty()
                  : Optional.of(new StoreEvent.Modified(made.get(), expected));
            })
        .map(StoreEvent::object)
        .orElse(expected);
  }

  @Override
  public StoredObject delete(StoredObject expected, KubeObject last) {
    return write(
            expected.key(),
            StorableForm.of(last),
            (stored, made) -> {
              requireSame(expected, stored);
              return Optional.of(new StoreEvent.Deleted(made.get(), expected));
            })
        .orElseThrow()
        .object();
  }

  /** What a write makes of the object that is stored, if any; runs under the lock of all writes. */
  private interface Change {
    /**
     * @param made the written object under the write's version
     */
    Optional<StoreEvent> of(@Nullable StoredObject stored, Supplier<StoredObject> made);
  }

  private Optional<StoreEvent> write(StorageKey key, KubeObject object, Change change) {
    var objects = objects(key.resourceKey());
    ObjectKey objectKey = key.objectKey();
    int footprint = MemoryEstimate.of(object.tree());
    Optional<StoreEvent> written =
        log.append(
            key.resourceKey(),
            version -> {
              Optional<StoreEvent> event =
                  change.of(objects.get(objectKey), () -> stored(key, version, object, footprint));
              event.ifPresent(made -> carryOut(made, objects, objectKey));
              return event;
            });
    written.ifPresent(event -> trees.add(event.object()));
    return written;
  }

  private void carryOut(
      StoreEvent event, Map<ObjectKey, StoredObject> objects, ObjectKey objectKey) {
    // No reader may see what a restart would not find.
    file.ifPresent(open -> open.keep(event));
    switch (event) {
      case StoreEvent.Added(StoredObject added) -> {
        objects.put(objectKey, added);
        keepCount(added.key(), 1);
      }
      case StoreEvent.Modified(StoredObject changed, _) -> objects.put(objectKey, changed);
      case StoreEvent.Deleted(StoredObject deleted, _) -> {
        objects.remove(objectKey);
        keepCount(deleted.key(), -1);
      }
    }
  }

  private void keepCount(StorageKey key, int more) {
    AtomicLong count = counts.get(ListScope.of(key.resourceKey(), key.cluster(), key.namespace()));
    if (count != null) {
      count.addAndGet(more);
    }
  }

  @Override
  public long count(ListScope scope) {
    if (scope.cluster().isEmpty() || scope.namespace().isEmpty()) {
      return range(scope, Optional.empty()).size();
    }
    AtomicLong known = counts.get(scope);
    return known != null ? known.get() : log.alone(() -> beginToCount(scope));
  }

  private long beginToCount(ListScope scope) {
    if (counts.size() >= COUNTS_MAX) {
      counts.clear();
    }
    return counts
        .computeIfAbsent(scope, _ -> new AtomicLong(range(scope, Optional.empty()).size()))
        .get();
  }

  @Override
  public void restore(StoreList snapshot) {
    log.alone(() -> {
      Map<StorageKey, StoredObject> then = snapshot.byKey();
      Map<StorageKey, StoredObject> now = snapshot().byKey();
      // What was made last goes first, and what was made first comes first: a part never without
      // what it is part of.
      now.values().stream()
          .filter(object -> !then.containsKey(object.key()))
          .sorted(Comparator.comparingLong(StoredObject::version).reversed())
          .forEach(object -> delete(object, object.object()));
      then.values().stream()
          .sorted(Comparator.comparingLong(StoredObject::version))
          .forEach(object -> put(now.get(object.key()), object));
      return snapshot;
    });
  }

  private void put(@Nullable StoredObject now, StoredObject then) {
    if (now == null) {
      create(then.key(), then.object());
    } else if (now.version() != then.version()) {
      update(now, then.object());
    }
  }

  @Override
  public boolean isWritable() {
    return file.isEmpty() || file.get().isOpen();
  }

  @Override
  public void close() {
    file.ifPresent(StoreFile::close);
  }

  @Override
  public <T> T read(
      ListScope scope, OptionalLong version, Optional<ObjectKey> after, Reader<T> reader) {
    if (version.isPresent()) {
      return readAt(scope, version.getAsLong(), after, reader);
    }
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      try {
        return readAt(scope, log.version(), after, reader);
      } catch (VersionExpired overtaken) {
        // So much was written while the map was read that the log does not hold it all.
        Thread.onSpinWait();
      }
    }
    return log.alone(() -> readAt(scope, log.version(), after, reader));
  }

  private <T> T readAt(ListScope scope, long version, Optional<ObjectKey> after, Reader<T> reader) {
    if (scope.resourceKey().isEveryIdentity()) {
      Stream<StoredObject> found =
          resourceKeys.keySet().stream()
              .filter(scope.resourceKey()::covers)
              .map(key -> new ListScope(key, scope.cluster(), scope.namespace()))
              .flatMap(one -> readAt(one, version, after, StoreList::of).items().stream());
      boolean ordered = !scope.resourceKey().equals(ResourceKey.EVERYTHING);
      return reader.read(version, (ordered ? found.sorted(IN_ORDER) : found).toList());
    }
    List<StoreEvent> since = log.since(scope, version);
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      T read = reader.read(version, asOf(scope, after, since));
      List<StoreEvent> meanwhile = log.since(scope, version);
      if (meanwhile.size() == since.size()) {
        return read;
      }
      since = meanwhile;
    }
    return log.alone(() -> reader.read(version, asOf(scope, after, log.since(scope, version))));
  }

  @Override
  public StoreWatch watch(ListScope scope, long afterVersion) {
    return log.watch(scope, afterVersion);
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
   * The objects of the map, but what a key had before the events in place of what it has: the first
   * event of a key holds it.
   */
  private Iterable<StoredObject> asOf(
      ListScope scope, Optional<ObjectKey> after, List<StoreEvent> since) {
    var before = new TreeMap<ObjectKey, Optional<StoredObject>>();
    for (StoreEvent event : since) {
      ObjectKey key = event.object().key().objectKey();
      if (after.isEmpty() || key.compareTo(after.get()) > 0) {
        before.putIfAbsent(
            key,
            switch (event) {
              case StoreEvent.Added _ -> Optional.empty();
              case StoreEvent.Modified(_, StoredObject previous) -> Optional.of(previous);
              case StoreEvent.Deleted(_, StoredObject previous) -> Optional.of(previous);
            });
      }
    }
    Iterable<StoredObject> now = range(scope, after).values();
    if (before.isEmpty()) {
      return now;
    }
    return Iterables.mergeSorted(
        List.of(
            Iterables.filter(now, object -> !before.containsKey(object.key().objectKey())),
            before.values().stream().flatMap(Optional::stream).toList()),
        IN_ORDER);
  }

  /**
   * @param after a key of any scope
   */
  private ConcurrentNavigableMap<ObjectKey, StoredObject> range(
      ListScope scope, Optional<ObjectKey> after) {
    var objects = objects(scope.resourceKey());
    if (scope.cluster().isEmpty()) {
      // Wildcard lists of one namespace are refused before they get here.
      return after.isEmpty() ? objects : objects.tailMap(after.get(), false);
    }
    LogicalCluster cluster = scope.cluster().get();
    String namespace = scope.namespace();
    var first = new ObjectKey(cluster, namespace, FIRST);
    var last =
        namespace.isEmpty()
            ? new ObjectKey(cluster, LAST, FIRST)
            : new ObjectKey(cluster, namespace, LAST);
    ObjectKey from = after.filter(key -> key.compareTo(first) > 0).orElse(first);
    return from.compareTo(last) < 0
        ? objects.subMap(from, from == first, last, false)
        : objects.subMap(last, last);
  }

  private ConcurrentSkipListMap<ObjectKey, StoredObject> objects(ResourceKey resourceKey) {
    var objects = resourceKeys.get(resourceKey);
    return objects != null
        ? objects
        : resourceKeys.computeIfAbsent(resourceKey, _ -> new ConcurrentSkipListMap<>());
  }

  private StoredObject stored(StorageKey key, long version, KubeObject object, int footprint) {
    return new StoredObject(
        key,
        version,
        object.with(Long.toString(version), "metadata", "resourceVersion"),
        footprint,
        trees);
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
