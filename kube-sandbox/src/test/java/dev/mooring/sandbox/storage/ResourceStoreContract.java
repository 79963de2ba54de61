package dev.mooring.sandbox.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.storage.StoreConflict.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What every store has to do, whatever it keeps objects in. */
abstract class ResourceStoreContract {
  static final ResourceKey THINGS = ResourceKey.of("example.com", "things");
  static final LogicalCluster ONE = new LogicalCluster("one");
  static final LogicalCluster TWO = new LogicalCluster("two");

  /** An empty store that remembers this many events of each resource. */
  abstract ResourceStore store(int window);

  private final ResourceStore store = store(100);

  static StorageKey at(LogicalCluster cluster, String namespace, String name) {
    return new StorageKey(THINGS, cluster, namespace, name);
  }

  static KubeObject thing(String name, String colour) {
    return KubeObject.of(Map.of("metadata", Map.of("name", name), "colour", colour));
  }

  private StoredObject create(LogicalCluster cluster, String namespace, String name) {
    return store.create(at(cluster, namespace, name), thing(name, "red"));
  }

  private static List<String> names(StoreList list) {
    return list.items().stream()
        .map(object ->
            object.key().cluster() + "/" + object.key().namespace() + "/" + object.key().name())
        .toList();
  }

  static List<StoreEvent> drained(StoreWatch watch) throws InterruptedException {
    var events = new ArrayList<StoreEvent>();
    Optional<StoreEvent> next = watch.next(Duration.ZERO);
    while (next.isPresent()) {
      events.add(next.get());
      next = watch.next(Duration.ZERO);
    }
    return events;
  }

  @Test
  void numbersAllWritesWithOneCounter() {
    StoredObject first = create(ONE, "n", "a");
    StoredObject second =
        store.create(new StorageKey(ResourceKey.of("", "others"), TWO, "", "b"), thing("b", "red"));

    assertThat(second.version()).isEqualTo(first.version() + 1);
    assertThat(store.version()).isEqualTo(second.version());
    assertThat(second.object().resourceVersion()).isEqualTo(Long.toString(second.version()));
  }

  @Test
  void countsObjectsAsTheyComeAndGo() {
    create(ONE, "n", "a");
    ListScope namespace = ListScope.of(THINGS, ONE, "n");

    assertThat(store.count(namespace)).isEqualTo(1);
    StoredObject second = create(ONE, "n", "b");
    create(ONE, "other", "c");
    create(TWO, "n", "d");
    store.update(second, thing("b", "blue"));
    assertThat(store.count(namespace)).isEqualTo(2);
    assertThat(store.count(ListScope.of(THINGS, ONE))).isEqualTo(3);
    assertThat(store.count(ListScope.everywhere(THINGS))).isEqualTo(4);
    StoredObject changed = store.get(second.key()).orElseThrow();
    store.delete(changed, changed.object());
    assertThat(store.count(namespace)).isEqualTo(1);
    assertThat(store.count(ListScope.of(ResourceKey.of("", "others"), ONE, "n"))).isZero();
  }

  @Test
  void refusesToCreateTwice() {
    create(ONE, "n", "a");
    long version = store.version();

    assertThatExceptionOfType(StoreConflict.class)
        .isThrownBy(() -> create(ONE, "n", "a"))
        .returns(Cause.EXISTS, StoreConflict::found);
    assertThat(store.version()).isEqualTo(version);
  }

  @Test
  void updatesOnlyTheVersionThatWasRead() {
    StoredObject read = create(ONE, "n", "a");
    StoredObject written = store.update(read, thing("a", "blue"));

    assertThat(store.get(read.key())).contains(written);
    assertThatExceptionOfType(StoreConflict.class)
        .isThrownBy(() -> store.update(read, thing("a", "green")))
        .returns(Cause.CHANGED, StoreConflict::found);
  }

  @Test
  void writesNothingForAnEqualObject() throws InterruptedException {
    StoredObject read = create(ONE, "n", "a");
    try (StoreWatch watch = store.watch(ListScope.everywhere(THINGS), store.version())) {

      StoredObject same = store.update(read, thing("a", "red"));

      assertThat(same).isSameAs(read);
      assertThat(drained(watch)).isEmpty();
    }
  }

  @Test
  void deletesWithAVersionOfItsOwn() throws InterruptedException {
    StoredObject read = create(ONE, "n", "a");
    try (StoreWatch watch = store.watch(ListScope.everywhere(THINGS), store.version())) {

      StoredObject gone = store.delete(read, thing("a", "last"));

      assertThat(store.get(read.key())).isEmpty();
      assertThat(gone.version()).isGreaterThan(read.version());
      assertThat(drained(watch)).containsExactly(new StoreEvent.Deleted(gone, read));
    }
    assertThatExceptionOfType(StoreConflict.class)
        .isThrownBy(() -> store.delete(read, thing("a", "last")))
        .returns(Cause.MISSING, StoreConflict::found);
  }

  @Test
  void listsByClusterAndNamespaceInOrder() {
    create(TWO, "n", "a");
    create(ONE, "n", "b-1");
    create(ONE, "n", "b");
    create(ONE, "m", "z");

    assertThat(names(store.list(ListScope.everywhere(THINGS))))
        .containsExactly("one/m/z", "one/n/b", "one/n/b-1", "two/n/a");
    assertThat(names(store.list(ListScope.of(THINGS, ONE))))
        .containsExactly("one/m/z", "one/n/b", "one/n/b-1");
    assertThat(names(store.list(ListScope.of(THINGS, ONE, "n"))))
        .containsExactly("one/n/b", "one/n/b-1");
  }

  @Test
  void listsAnOlderVersionAsItWas() {
    StoredObject a = create(ONE, "n", "a");
    StoredObject b = create(ONE, "n", "b");
    long then = store.version();
    store.delete(a, a.object());
    StoredObject changed = store.update(b, thing("b", "blue"));
    store.update(changed, thing("b", "green"));
    create(ONE, "n", "c");

    StoreList list = store.listAt(ListScope.of(THINGS, ONE), then);

    assertThat(list.version()).isEqualTo(then);
    assertThat(list.items()).containsExactly(a, b);
  }

  @Test
  void readsBehindAKeyNowAndAsItWas() {
    StoredObject a = create(ONE, "n", "a");
    StoredObject b = create(ONE, "n", "b");
    StoredObject c = create(ONE, "n", "c");
    create(TWO, "n", "a");
    long then = store.version();
    store.delete(c, c.object());
    StoredObject d = create(ONE, "n", "d");

    assertThat(behind(ListScope.of(THINGS, ONE, "n"), OptionalLong.empty(), a))
        .containsExactly(b, d);
    assertThat(behind(ListScope.of(THINGS, ONE, "n"), OptionalLong.of(then), a))
        .containsExactly(b, c);
    assertThat(behind(ListScope.of(THINGS, ONE), OptionalLong.of(then), b)).containsExactly(c);
    assertThat(behind(ListScope.everywhere(THINGS), OptionalLong.of(then), c)).hasSize(1);
    assertThat(behind(ListScope.of(THINGS, TWO), OptionalLong.empty(), d)).hasSize(1);
    assertThat(behind(ListScope.of(THINGS, ONE, "a"), OptionalLong.empty(), a)).isEmpty();
  }

  private List<StoredObject> behind(ListScope scope, OptionalLong version, StoredObject object) {
    return store.read(
        scope,
        version,
        Optional.of(object.key().objectKey()),
        (_, objects) -> StoreList.of(0, objects).items());
  }

  @Test
  void watchesWhatTheScopeCoversAndNothingElse() throws InterruptedException {
    try (StoreWatch namespace = store.watch(ListScope.of(THINGS, ONE, "n"), store.version());
        StoreWatch all = store.watch(ListScope.everywhere(THINGS), store.version())) {
      StoredObject mine = create(ONE, "n", "a");
      StoredObject otherNamespace = create(ONE, "m", "a");
      StoredObject otherCluster = create(TWO, "n", "a");

      assertThat(drained(namespace)).containsExactly(new StoreEvent.Added(mine));
      assertThat(drained(all))
          .containsExactly(
              new StoreEvent.Added(mine),
              new StoreEvent.Added(otherNamespace),
              new StoreEvent.Added(otherCluster));
    }
  }

  @Test
  void replaysWhatHappenedSinceAVersionExactlyOnce() throws InterruptedException {
    StoredObject a = create(ONE, "n", "a");
    StoredObject changed = store.update(a, thing("a", "blue"));

    try (StoreWatch watch = store.watch(ListScope.everywhere(THINGS), a.version())) {
      StoredObject b = create(ONE, "n", "b");

      assertThat(drained(watch))
          .containsExactly(new StoreEvent.Modified(changed, a), new StoreEvent.Added(b));
    }
  }

  @Test
  void expiresVersionsThatFellOutOfTheWindow() {
    ResourceStore small = store(2);
    StoredObject last = small.create(at(ONE, "n", "a"), thing("a", "0"));
    long first = last.version();
    for (int i = 1; i <= 3; i++) {
      last = small.update(last, thing("a", "colour " + i));
    }

    assertThatExceptionOfType(VersionExpired.class)
        .isThrownBy(() -> small.watch(ListScope.everywhere(THINGS), first))
        .withMessageStartingWith("too old resource version: " + first + " (");
    assertThatExceptionOfType(VersionExpired.class)
        .isThrownBy(() -> small.listAt(ListScope.everywhere(THINGS), first));
    assertThat(small.listAt(ListScope.everywhere(THINGS), last.version() - 1).items()).hasSize(1);
  }

  @Test
  void createsOnlyWhileItsPremisesHold() {
    StoredObject place = create(ONE, "", "place");
    KubeObject going = place.object().with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp");
    store.create(
        at(ONE, "n", "a"), thing("a", "red"), List.of(Precondition.isNotTerminating(place.key())));

    StoredObject terminating = store.update(place, going);

    assertThatExceptionOfType(StoreConflict.class)
        .isThrownBy(() ->
            store.create(
                at(ONE, "n", "b"),
                thing("b", "red"),
                List.of(Precondition.isNotTerminating(place.key()))))
        .returns(Cause.PRECONDITION_FAILED, StoreConflict::found);
    Precondition thereAtAll = Precondition.exists(place.key());
    store.create(at(ONE, "n", "b"), thing("b", "red"), List.of(thereAtAll));
    store.delete(terminating, terminating.object());
    assertThatExceptionOfType(StoreConflict.class)
        .isThrownBy(() -> store.create(at(ONE, "n", "c"), thing("c", "red"), List.of(thereAtAll)))
        .returns(Cause.PRECONDITION_FAILED, StoreConflict::found);
    assertThat(store.get(at(ONE, "n", "c"))).isEmpty();
  }

  @Test
  void knowsNothingOfABucketBeforeItWasOpened() {
    create(ONE, "n", "a");
    ResourceKey late = ResourceKey.of("example.com", "late");
    store.open(late);

    assertThatExceptionOfType(VersionExpired.class)
        .isThrownBy(() -> store.watch(ListScope.everywhere(late), 1));
  }

  @Test
  void tellsProgressOnceNothingIsLeft() throws InterruptedException {
    try (StoreWatch watch = store.watch(ListScope.of(THINGS, ONE), store.version())) {
      create(TWO, "n", "a");

      assertThat(drained(watch)).isEmpty();
      assertThat(watch.progress()).isEqualTo(store.version());
    }
  }

  @Test
  void endsWatchesOfAClusterOnDemand() throws InterruptedException {
    try (StoreWatch one = store.watch(ListScope.of(THINGS, ONE), store.version());
        StoreWatch two = store.watch(ListScope.of(THINGS, TWO), store.version())) {
      StoredObject before = create(ONE, "n", "a");
      store.closeWatches(ListScope.of(THINGS, ONE));

      assertThat(one.next(Duration.ZERO)).contains(new StoreEvent.Added(before));
      assertThatExceptionOfType(WatchClosed.class).isThrownBy(() -> one.next(Duration.ZERO));
      assertThat(two.next(Duration.ZERO)).isEmpty();
    }
  }

  @Test
  void cutsOffAReaderThatFallsTooFarBehind() throws InterruptedException {
    try (StoreWatch watch = store.watch(ListScope.everywhere(THINGS), store.version())) {
      StoredObject last = create(ONE, "n", "a");
      for (int i = 0; i <= QueuedWatch.BACKLOG_MAX; i++) {
        last = store.update(last, thing("a", "colour " + i));
      }

      assertThatExceptionOfType(WatchClosed.class).isThrownBy(() -> watch.next(Duration.ZERO));
    }
  }

  @Test
  void showsEveryWriteToAWatchOfEverything() throws InterruptedException {
    try (StoreWatch watch =
        store.watch(ListScope.everywhere(ResourceKey.EVERYTHING), store.version())) {
      StoredObject thing = create(ONE, "n", "a");
      var other = new StorageKey(ResourceKey.of("", "others"), TWO, "", "b");
      StoredObject second = store.create(other, thing("b", "red"));

      assertThat(drained(watch))
          .containsExactly(new StoreEvent.Added(thing), new StoreEvent.Added(second));
    }
  }

  @Test
  void isRestoredToASnapshotByWritesThatWatchersSee() throws InterruptedException {
    StoredObject changed = create(ONE, "n", "changed");
    StoredObject deleted = create(ONE, "n", "deleted");
    StoredObject same = create(ONE, "n", "same");
    StoreList snapshot = store.snapshot();
    StoredObject after = store.update(changed, thing("changed", "blue"));
    store.delete(deleted, deleted.object());
    StoredObject made = create(TWO, "", "made");
    try (StoreWatch watch = store.watch(ListScope.everywhere(THINGS), store.version())) {

      store.restore(snapshot);

      List<StoreEvent> events = drained(watch);
      assertThat(events)
          .satisfiesExactly(
              event -> assertThat(event).isInstanceOf(StoreEvent.Deleted.class),
              event -> assertThat(event).isInstanceOf(StoreEvent.Modified.class),
              event -> assertThat(event).isInstanceOf(StoreEvent.Added.class))
          .extracting(event -> event.object().key())
          .containsExactly(made.key(), after.key(), deleted.key());
    }
    assertThat(names(store.list(ListScope.everywhere(THINGS))))
        .containsExactly("one/n/changed", "one/n/deleted", "one/n/same");
    assertThat(store.get(changed.key()).orElseThrow().object().text("colour")).isEqualTo("red");
    assertThat(store.get(same.key())).contains(same);
    assertThat(store.version()).isEqualTo(made.version() + 3);
  }
}
