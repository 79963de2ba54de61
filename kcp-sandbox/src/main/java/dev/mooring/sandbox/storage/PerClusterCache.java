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

  private final ResourceStore store;
  private final List<ResourceKey> resourceKeys;
  private final Set<LogicalCluster> shared;
  private final Function<LogicalCluster, T> derive;
  private final Map<LogicalCluster, Derived<T>> values = new ConcurrentHashMap<>();
  private final Map<LogicalCluster, Long> changes = new ConcurrentHashMap<>();
  private final ReentrantLock draining = new ReentrantLock();
  private final List<StoreWatch> watches = new ArrayList<>();
  // Changes up to here are in the map; values older than the floor count as changed.
  private volatile long drainedTo = -1;
  private volatile long floor;

  /**
   * @param version of the store before the value was derived: it has seen at least that much
   */
  private record Derived<T>(long version, T value) {}

  public PerClusterCache(
      ResourceStore store, List<ResourceKey> resourceKeys, Function<LogicalCluster, T> derive) {
    this(store, resourceKeys, Set.of(), derive);
  }

  /**
   * @param shared clusters from whose objects every value is derived as well
   */
  public PerClusterCache(
      ResourceStore store,
      List<ResourceKey> resourceKeys,
      Set<LogicalCluster> shared,
      Function<LogicalCluster, T> derive) {
    this.store = store;
    this.resourceKeys = List.copyOf(resourceKeys);
    this.shared = Set.copyOf(shared);
    this.derive = derive;
  }

  /** The value as of now, or later. */
  public T of(LogicalCluster cluster) {
    if (drainedTo < store.version()) {
      drain();
    }
    Derived<T> known = values.get(cluster);
    if (known != null && known.version() >= Math.max(floor, changes.getOrDefault(cluster, 0L))) {
      return known.value();
    }
    long before = store.version();
    T value = derive.apply(cluster);
    if (values.size() >= CLUSTERS_MAX) {
      values.clear();
    }
    values.put(cluster, new Derived<>(before, value));
    return value;
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
      // What changed is unknown until the next drain; derive again rather than answer from memory.
      floor = store.version();
      Thread.currentThread().interrupt();
    } finally {
      draining.unlock();
    }
  }

  private void onChange(LogicalCluster cluster, long version) {
    changes.merge(cluster, version, Math::max);
    if (shared.contains(cluster)) {
      floor = Math.max(floor, version);
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
