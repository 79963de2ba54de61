package dev.mooring.sandbox.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random writes, lists and watches of a store whose log is compacted after a few events, against
 * the whole history of writes. The laws are in {@link StoreRun}; a failure names the seed to replay
 * with {@code new StoreRun(seed, store).run(STEPS)}. Each planted bug has to break a law.
 */
class ResourceStoreSimulation {
  private static final int SEEDS = 400;
  private static final int STEPS = 250;

  /** Events that a resource's log holds. */
  static final int WINDOW = 12;

  @Test
  void keepsItsLawsForEverySeed() {
    IntStream.range(0, SEEDS)
        .forEach(seed ->
            assertThat(violation(seed, UnaryOperator.identity())).as("seed %d", seed).isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void findsThePlantedBug(Bug bug) {
    assertThat(IntStream.range(0, SEEDS))
        .as("seeds that notice that the store %s", bug)
        .anyMatch(seed -> violation(seed, store -> new FaultyStore(store, bug)).isPresent());
  }

  private static Optional<String> violation(int seed, UnaryOperator<ResourceStore> wrapper) {
    ResourceStore store = wrapper.apply(new InMemoryResourceStore(WINDOW, Long.MAX_VALUE));
    try {
      new StoreRun(seed, store).run(STEPS);
      return Optional.empty();
    } catch (AssertionError violated) {
      return Optional.of(violated.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return fail("interrupted");
    }
  }

  /** What a store may get wrong. */
  enum Bug {
    OVERWRITES_WHAT_CHANGED,
    STARTS_A_WATCH_ONE_EVENT_LATE,
    LOSES_DELETIONS_IN_NAMESPACED_WATCHES,
    ANSWERS_EXPIRED_VERSIONS_WITH_THE_PRESENT,
    LISTS_AN_OLD_VERSION_WITH_LATER_CREATES,
    WRITES_EQUAL_OBJECTS
  }

  /** The store with one bug. */
  private record FaultyStore(ResourceStore store, Bug bug) implements ResourceStore {
    @Override
    public long version() {
      return store.version();
    }

    @Override
    public boolean isWritable() {
      return store.isWritable();
    }

    @Override
    public long deliveredVersion() {
      return store.deliveredVersion();
    }

    @Override
    public long lastEvent(ResourceKey resourceKey, Optional<LogicalCluster> cluster) {
      return store.lastEvent(resourceKey, cluster);
    }

    @Override
    public Optional<StoredObject> get(StorageKey key) {
      return store.get(key);
    }

    @Override
    public StoredObject create(
        StorageKey key, KubeObject object, List<Precondition> preconditions) {
      return store.create(key, object, preconditions);
    }

    @Override
    public StoredObject update(StoredObject expected, KubeObject object) {
      return switch (bug) {
        case OVERWRITES_WHAT_CHANGED ->
            store.update(store.get(expected.key()).orElse(expected), object);
        case WRITES_EQUAL_OBJECTS ->
            store.update(expected, object.with(store.version(), "metadata", "generation"));
        default -> store.update(expected, object);
      };
    }

    @Override
    public StoredObject delete(StoredObject expected, KubeObject last) {
      return store.delete(expected, last);
    }

    @Override
    public void restore(StoreList snapshot) {
      store.restore(snapshot);
    }

    @Override
    public void close() {
      store.close();
    }

    @Override
    public <T> T read(
        ListScope scope, OptionalLong version, Optional<ObjectKey> after, Reader<T> reader) {
      return store.read(scope, version, after, reader);
    }

    @Override
    public StoreList listAt(ListScope scope, long version) {
      try {
        StoreList then = store.listAt(scope, version);
        return bug == Bug.LISTS_AN_OLD_VERSION_WITH_LATER_CREATES
            ? new StoreList(version, store.list(scope).items())
            : then;
      } catch (VersionExpired expired) {
        if (bug == Bug.ANSWERS_EXPIRED_VERSIONS_WITH_THE_PRESENT) {
          return new StoreList(version, store.list(scope).items());
        }
        throw expired;
      }
    }

    @Override
    public StoreWatch watch(ListScope scope, long afterVersion) {
      long after =
          bug == Bug.STARTS_A_WATCH_ONE_EVENT_LATE && afterVersion < store.version()
              ? afterVersion + 1
              : afterVersion;
      StoreWatch watch = store.watch(scope, after);
      return bug == Bug.LOSES_DELETIONS_IN_NAMESPACED_WATCHES && !scope.namespace().isEmpty()
          ? new WithoutDeletions(watch)
          : watch;
    }

    @Override
    public Set<ResourceKey> resourceKeys() {
      return store.resourceKeys();
    }

    @Override
    public void open(ResourceKey resourceKey) {
      store.open(resourceKey);
    }

    @Override
    public long count(ListScope scope) {
      return store.count(scope);
    }

    @Override
    public void closeWatches(ListScope scope) {
      store.closeWatches(scope);
    }
  }

  private record WithoutDeletions(StoreWatch watch) implements StoreWatch {
    @Override
    public Optional<StoreEvent> next(Duration wait) throws InterruptedException {
      Optional<StoreEvent> event = watch.next(wait);
      return event.filter(StoreEvent.Deleted.class::isInstance).isPresent() ? next(wait) : event;
    }

    @Override
    public long progress() {
      return watch.progress();
    }

    @Override
    public void onCut(Runnable action) {
      watch.onCut(action);
    }

    @Override
    public void close() {
      watch.close();
    }
  }
}
