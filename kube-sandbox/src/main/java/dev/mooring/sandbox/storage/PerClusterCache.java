package dev.mooring.sandbox.storage;

import dev.mooring.model.identity.LogicalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Values derived from the objects of some resources in one logical cluster, such as its compiled
 * RBAC. A value is derived again once any of those objects has changed: a read after a write sees
 * that write. Costs a look at the store's version where nothing was written. Thread-safe.
 *
 * @param <T> immutable
 */
public final class PerClusterCache<T> implements AutoCloseable {
  /** Beyond this many clusters everything is forgotten and derived again when asked for. */
  static final int CLUSTERS_MAX = 20_000;

  private final ShardStores stores;
  private final Function<LogicalCluster, T> derive;
  private final Map<LogicalCluster, Derived<T>> values = new ConcurrentHashMap<>();
  private final ChangeLog own;
  private final Optional<ChangeLog> replicas;

  /**
   * @param from the changes of the store that the value was derived from
   * @param version of that store before the value was derived: it has seen at least that much
   * @param ownVersion of the own store then
   */
  private record Derived<T>(ChangeLog from, long version, long ownVersion, T value) {}

  /**
   * @param derive reads the store that has the cluster
   */
  public PerClusterCache(
      ShardStores stores, List<ResourceKey> resourceKeys, Function<LogicalCluster, T> derive) {
    this(stores, resourceKeys, Set.of(), derive);
  }

  /**
   * @param shared clusters of this server, from whose objects every value is derived as well
   * @param derive reads the store that has the cluster
   */
  public PerClusterCache(
      ShardStores stores,
      List<ResourceKey> resourceKeys,
      Set<LogicalCluster> shared,
      Function<LogicalCluster, T> derive) {
    this.stores = stores;
    this.derive = derive;
    this.own = new ChangeLog(stores.own(), resourceKeys, shared);
    this.replicas =
        stores.replicas().map(other -> new ChangeLog(other.store(), resourceKeys, Set.of()));
  }

  /** The value as of now, or later. */
  public T of(LogicalCluster cluster) {
    ResourceStore store = stores.of(cluster);
    ChangeLog log = store == own.store ? own : replicas.orElseThrow();
    long changed = log.changedAt(cluster);
    long sharedChanged = own.sharedChangedAt();
    Derived<T> known = values.get(cluster);
    if (known != null
        && known.from() == log
        && known.version() >= changed
        && known.ownVersion() >= sharedChanged) {
      return known.value();
    }
    long ownBefore = stores.own().version();
    long before = store.version();
    T value = derive.apply(cluster);
    if (values.size() >= CLUSTERS_MAX) {
      values.clear();
    }
    values.put(cluster, new Derived<>(log, before, ownBefore, value));
    return value;
  }

  @Override
  public void close() {
    own.close();
    replicas.ifPresent(ChangeLog::close);
  }

  /** The versions at which clusters of one store changed last. */
  private static final class ChangeLog implements AutoCloseable {
    private final ResourceStore store;
    private final List<ResourceKey> resourceKeys;
    private final Set<LogicalCluster> shared;
    private final Map<LogicalCluster, Long> changes = new ConcurrentHashMap<>();
    private final ReentrantLock draining = new ReentrantLock();
    private final List<StoreWatch> watches = new ArrayList<>();
    // Changes up to here are in the map; values older than the floor count as changed.
    private volatile long drainedTo = -1;
    private volatile long floor;
    private volatile long sharedChanged;

    private ChangeLog(
        ResourceStore store, List<ResourceKey> resourceKeys, Set<LogicalCluster> shared) {
      this.store = store;
      this.resourceKeys = List.copyOf(resourceKeys);
      this.shared = Set.copyOf(shared);
    }

    /** A value that was derived at an older version is stale. */
    long changedAt(LogicalCluster cluster) {
      update();
      return Math.max(floor, changes.getOrDefault(cluster, 0L));
    }

    /** As {@link #changedAt}, of the shared clusters. */
    long sharedChangedAt() {
      if (shared.isEmpty()) {
        return 0;
      }
      update();
      return Math.max(floor, sharedChanged);
    }

    private void update() {
      if (drainedTo < store.version()) {
        drain();
      }
    }

    private void drain() {
      draining.lock();
      try {
        // Not the version alone: the event that made it may not be in the queues yet.
        long upTo = store.deliveredVersion();
        if (drainedTo >= upTo) {
          return;
        }
        if (watches.isEmpty()) {
          reopen();
        }
        try {
          for (StoreWatch watch : watches) {
            Optional<StoreEvent> event = watch.next(Duration.ZERO);
            while (event.isPresent()) {
              onChange(event.get().object().key().cluster(), event.get().version());
              event = watch.next(Duration.ZERO);
            }
          }
        } catch (WatchClosed fellBehind) {
          reopen();
        }
        drainedTo = upTo;
      } catch (InterruptedException e) {
        // What changed is unknown until the next drain; derive again rather than answer from
        // memory.
        floor = store.version();
        Thread.currentThread().interrupt();
      } finally {
        draining.unlock();
      }
    }

    private void onChange(LogicalCluster cluster, long version) {
      changes.merge(cluster, version, Math::max);
      if (shared.contains(cluster)) {
        sharedChanged = Math.max(sharedChanged, version);
      }
    }

    /** Everything before counts as a change of every cluster. */
    private void reopen() {
      watches.forEach(StoreWatch::close);
      watches.clear();
      long version = store.version();
      for (ResourceKey resourceKey : resourceKeys) {
        watches.add(store.watch(ListScope.everywhere(resourceKey), version));
      }
      changes.clear();
      floor = version;
    }

    @Override
    public void close() {
      draining.lock();
      try {
        watches.forEach(StoreWatch::close);
        watches.clear();
      } finally {
        draining.unlock();
      }
    }
  }
}
