package dev.mooring.sandbox.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * One seed of {@link ResourceStoreSimulation}. Laws:
 *
 * <ol>
 *   <li>A write takes the next version; one that is refused, or writes an equal object, takes none.
 *   <li>A write is refused exactly if something else is stored than what it expects.
 *   <li>A list shows the scope's objects at its version, and a version that the log holds is never
 *       refused.
 *   <li>A watch gets each event of its scope after its version once, in order, unless it is closed.
 *   <li>After {@link StoreWatch#progress}, no event up to that version follows.
 *   <li>A client that lists, watches, and lists again when it is refused or closed ends up with
 *       what is stored.
 * </ol>
 */
final class StoreRun {
  private static final List<ResourceKey> RESOURCES =
      List.of(ResourceKey.of("example.com", "things"), ResourceKey.of("", "configmaps"));
  private static final List<LogicalCluster> CLUSTERS =
      List.of(new LogicalCluster("one"), new LogicalCluster("two"));
  private static final List<String> NAMESPACES = List.of("a", "b");
  private static final List<String> COLOURS = List.of("red", "blue");
  private static final int NAMES = 3;
  private static final int CLIENTS = 5;

  private final Random random;
  private final ResourceStore store;

  /** All that was ever stored, by version; what the simulation knows, the store may forget. */
  private final TreeMap<Long, StoreEvent> history = new TreeMap<>();

  /** What was read at some time, and may be stale. */
  private final List<StoredObject> reads = new ArrayList<>();

  private final List<Client> clients = new ArrayList<>();

  StoreRun(long seed, ResourceStore store) {
    this.random = new Random(seed);
    this.store = store;
  }

  /** Plays random steps, then lets every client catch up. */
  void run(int steps) throws InterruptedException {
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new Client(scope()));
    }
    for (int i = 0; i < steps; i++) {
      step();
    }
    for (Client client : clients) {
      client.catchUp();
      assertThat(client.objects).as("law 6: %s", client.scope).isEqualTo(at(client.scope, now()));
    }
  }

  private void step() throws InterruptedException {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> create();
      case 3, 4, 5 -> update();
      case 6, 7 -> delete();
      case 8 -> list();
      case 9 -> clients.get(random.nextInt(CLIENTS)).readOne();
      case 10 -> clients.get(random.nextInt(CLIENTS)).catchUp();
      default -> {
        if (random.nextInt(10) == 0) {
          store.closeWatches(scope());
        }
      }
    }
  }

  private void create() {
    var key =
        new StorageKey(
            pick(RESOURCES), pick(CLUSTERS), pick(NAMESPACES), "n" + random.nextInt(NAMES));
    boolean taken = current(key).isPresent();
    write(!taken, () -> store.create(key, object(key.name())), StoreEvent.Added::new);
  }

  private void update() {
    StoredObject expected = read();
    if (expected != null) {
      KubeObject wanted = object(expected.key().name());
      boolean same =
          expected.object().without("metadata", "resourceVersion").equals(wanted)
              && isCurrent(expected);
      if (same) {
        long before = store.version();
        assertThat(store.update(expected, wanted)).as("law 1: equal").isEqualTo(expected);
        assertThat(store.version()).as("law 1: an equal object").isEqualTo(before);
      } else {
        write(
            isCurrent(expected),
            () -> store.update(expected, wanted),
            after -> new StoreEvent.Modified(after, expected));
      }
    }
  }

  private void delete() {
    StoredObject expected = read();
    if (expected != null) {
      write(
          isCurrent(expected),
          () -> store.delete(expected, expected.object()),
          last -> new StoreEvent.Deleted(last, expected));
    }
  }

  private interface Write {
    StoredObject run();
  }

  private interface Event {
    StoreEvent of(StoredObject stored);
  }

  /** Laws 1 and 2. */
  private void write(boolean allowed, Write write, Event event) {
    long before = store.version();
    try {
      StoredObject stored = write.run();
      assertThat(allowed).as("law 2: written against %s", stored.key()).isTrue();
      assertThat(stored.version()).as("law 1").isEqualTo(before + 1);
      history.put(stored.version(), event.of(stored));
      reads.add(stored);
    } catch (StoreConflict refused) {
      assertThat(allowed).as("law 2: %s", refused.getMessage()).isFalse();
      assertThat(store.version()).as("law 1: a refused write").isEqualTo(before);
    }
  }

  /** Law 3. */
  private void list() {
    ListScope scope = scope();
    assertThat(byKey(store.list(scope).items())).as("law 3: now").isEqualTo(at(scope, now()));
    long version = Math.max(1, now() - random.nextInt(3 * ResourceStoreSimulation.WINDOW));
    try {
      StoreList then = store.listAt(scope, version);
      assertThat(byKey(then.items())).as("law 3: at %d", version).isEqualTo(at(scope, version));
    } catch (VersionExpired expired) {
      assertThat(isCompacted(scope, version)).as("law 3: %d is held", version).isTrue();
    }
  }

  /** Whether the log has dropped an event of the resource after the version. */
  private boolean isCompacted(ListScope scope, long version) {
    return history.tailMap(version, false).values().stream()
            .filter(event -> event.object().key().resourceKey().equals(scope.resourceKey()))
            .count()
        > ResourceStoreSimulation.WINDOW;
  }

  /** A client that keeps a copy of a scope. */
  private final class Client {
    private final ListScope scope;
    private Map<StorageKey, StoredObject> objects = Map.of();
    private StoreWatch watch;
    private long version;

    Client(ListScope scope) {
      this.scope = scope;
    }

    /** Reads one event, or starts. Laws 4 and 5. */
    boolean readOne() throws InterruptedException {
      if (watch == null) {
        start();
      }
      try {
        Optional<StoreEvent> event = watch.next(Duration.ZERO);
        assertThat(event).as("law 4: %s after %d", scope, version).isEqualTo(next());
        if (event.isEmpty()) {
          version = Math.max(version, watch.progress());
          return false;
        }
        take(event.get());
        return true;
      } catch (WatchClosed closed) {
        watch = null;
        return true;
      }
    }

    private void start() {
      if (!objects.isEmpty() && random.nextBoolean()) {
        try {
          watch = store.watch(scope, version);
          return;
        } catch (VersionExpired expired) {
          assertThat(isCompacted(scope, version)).as("law 3: %d is held", version).isTrue();
        }
      }
      StoreList list = store.list(scope);
      objects = byKey(list.items());
      version = list.version();
      watch = store.watch(scope, version);
    }

    private Optional<StoreEvent> next() {
      return history.tailMap(version, false).values().stream()
          .filter(event ->
              event.object().key().resourceKey().equals(scope.resourceKey())
                  && scope.covers(event.object().key().objectKey()))
          .findFirst();
    }

    private void take(StoreEvent event) {
      version = event.version();
      objects = objects.isEmpty() ? byKey(List.of()) : objects;
      if (event instanceof StoreEvent.Deleted) {
        objects.remove(event.object().key());
      } else {
        objects.put(event.object().key(), event.object());
      }
    }

    void catchUp() throws InterruptedException {
      while (readOne()) {
        // Until the watch has nothing more to deliver.
      }
    }
  }

  private long now() {
    return store.version();
  }

  /** The scope's objects at a version, by the history of writes. */
  private Map<StorageKey, StoredObject> at(ListScope scope, long version) {
    Map<StorageKey, StoredObject> objects = byKey(List.of());
    for (StoreEvent event : history.headMap(version, true).values()) {
      StorageKey key = event.object().key();
      if (!key.resourceKey().equals(scope.resourceKey()) || !scope.covers(key.objectKey())) {
        continue;
      }
      if (event instanceof StoreEvent.Deleted) {
        objects.remove(key);
      } else {
        objects.put(key, event.object());
      }
    }
    return objects;
  }

  private Optional<StoredObject> current(StorageKey key) {
    return history.descendingMap().values().stream()
        .filter(event -> event.object().key().equals(key))
        .findFirst()
        .filter(event -> !(event instanceof StoreEvent.Deleted))
        .map(StoreEvent::object);
  }

  private boolean isCurrent(StoredObject read) {
    return current(read.key()).filter(now -> now.version() == read.version()).isPresent();
  }

  private static Map<StorageKey, StoredObject> byKey(List<StoredObject> objects) {
    var byKey = new TreeMap<StorageKey, StoredObject>(Comparator.comparing(StorageKey::toString));
    objects.forEach(object -> byKey.put(object.key(), object));
    return byKey;
  }

  /** Mostly what was written lately; null before the first write. */
  private StoredObject read() {
    int recent = Math.min(reads.size(), 2 * NAMES);
    return reads.isEmpty() ? null : reads.get(reads.size() - 1 - random.nextInt(recent));
  }

  private KubeObject object(String name) {
    return KubeObject.of(Map.of("metadata", Map.of("name", name), "colour", pick(COLOURS)));
  }

  private ListScope scope() {
    ResourceKey resource = pick(RESOURCES);
    return switch (random.nextInt(3)) {
      case 0 -> ListScope.everywhere(resource);
      case 1 -> ListScope.of(resource, pick(CLUSTERS));
      default -> ListScope.of(resource, pick(CLUSTERS), pick(NAMESPACES));
    };
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
