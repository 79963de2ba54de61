package dev.mooring.runtime.watch;

import static dev.mooring.runtime.watch.FakeCluster.THINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.WatchQuery;
import dev.mooring.runtime.time.Backoff;
import dev.mooring.runtime.time.ManualTime;
import dev.mooring.runtime.time.SystemTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InformerTest {
  private static final LogicalCluster ONE = new LogicalCluster("one");
  private static final LogicalCluster TWO = new LogicalCluster("two");
  private static final InformerTiming IMPATIENT =
      new InformerTiming(
          InstantSource.fixed(Instant.EPOCH),
          SystemTime.random(),
          new Backoff(Duration.ofMillis(1), Duration.ofMillis(4)));

  private static final Duration MAX_STALENESS = Duration.ofSeconds(75);

  private final FakeCluster cluster = new FakeCluster();
  private final ManualTime time = new ManualTime();
  private final List<String> changes = new CopyOnWriteArrayList<>();
  private Informer informer;

  @AfterEach
  void closes() {
    if (informer != null) {
      informer.close();
    }
  }

  @Test
  void tellsOfWhatIsThereAndThenOfWhatHappens() {
    cluster.put("one", "a", "1");
    start();

    cluster.put("one", "b", "1");
    cluster.put("one", "a", "2");
    cluster.remove("one", "b");

    await()
        .untilAsserted(() ->
            assertThat(changes)
                .containsExactly(
                    "added one/a=1", "added one/b=1", "updated one/a=1>2", "removed one/b=1"));
    assertThat(held()).isEqualTo(Map.of("one/a", "2"));
  }

  @Test
  void keepsEqualNamesInDifferentClustersApart() {
    cluster.put("one", "a", "mine");
    cluster.put("two", "a", "yours");
    start();

    cluster.remove("one", "a");

    await().untilAsserted(() -> assertThat(held()).isEqualTo(Map.of("two/a", "yours")));
    assertThat(informer.cache().inCluster(ONE)).isEmpty();
    assertThat(informer.cache().inCluster(TWO)).hasSize(1);
    assertThat(informer.cache().get(new ObjectKey(TWO, "default", "a"))).isPresent();
  }

  @Test
  void trustsNoAnnotationOfAPlainServer() {
    cluster.becomePlain();
    cluster.put("one", "a", "1");
    start();

    assertThat(informer.cache().keys())
        .containsExactly(new ObjectKey(LogicalCluster.NONE, "default", "a"));
  }

  @Test
  void triesOnWhenAnIndexFails() {
    var fails = new AtomicBoolean(true);
    cluster.put("one", "a", "1");
    informer =
        Informer.start(
            cluster,
            InformerSpec.of(THINGS)
                .indexedBy(
                    "shaky",
                    _ -> {
                      if (fails.get()) {
                        throw new IllegalStateException("shaken");
                      }
                      return List.of("calm");
                    }),
            this::record,
            IMPATIENT);
    await()
        .untilAsserted(() ->
            assertThat(informer.lastFailure())
                .hasValueSatisfying(f -> assertThat(f).hasMessageContaining("shaken")));
    assertThat(informer.isSynced()).isFalse();

    fails.set(false);

    informer.awaitSynced(Duration.ofSeconds(10));
    assertThat(informer.cache().indexed("shaky", "calm")).hasSize(1);
  }

  @Test
  void triesOnAfterAnError() {
    var fails = new AtomicBoolean(true);
    cluster.put("one", "a", "1");
    informer =
        Informer.start(
            cluster,
            InformerSpec.of(THINGS)
                .keeping(object -> {
                  if (fails.get()) {
                    throw new OutOfMemoryError("as the test wants it");
                  }
                  return object;
                }),
            this::record,
            IMPATIENT);
    await()
        .untilAsserted(() ->
            assertThat(informer.lastFailure())
                .hasValueSatisfying(f -> assertThat(f).hasMessageContaining("OutOfMemoryError")));

    fails.set(false);

    informer.awaitSynced(Duration.ofSeconds(10));
    assertThat(held()).isEqualTo(Map.of("one/a", "1"));
  }

  @Test
  void sharesWhatIsListedWithACacheThatIsFilledMeanwhile() {
    cluster.put("one", "a", "1");
    KubeObject other = KubeObject.of(Map.of("spec", Map.of("value", "1")));
    var filled = new AtomicBoolean();
    informer =
        Informer.start(
            cluster,
            InformerSpec.of(THINGS)
                .keeping(object -> filled.getAndSet(true) ? object.sharing(other) : object),
            this::record,
            IMPATIENT);
    informer.awaitSynced(Duration.ofSeconds(10));

    assertThat(informer.cache().all().getFirst().at("spec")).isSameAs(other.at("spec"));
  }

  @Test
  void knowsUpToWhenNothingIsMissing() {
    Instant began = time.instant();
    startProven(Duration.ZERO);

    time.advance(Duration.ofMinutes(1));
    cluster.put("one", "a", "1");
    await().until(() -> changes.size() == 1);
    assertThat(informer.lastContact()).hasValue(began);
    cluster.bookmark();
    assertThat(informer.lastContact()).hasValue(began.plusSeconds(60));

    time.advance(Duration.ofMinutes(1));
    cluster.cut(KubeFailure.Kind.UNAVAILABLE);
    await().until(() -> cluster.watches.get() == 2 && informer.isConnected());
    assertThat(informer.lastContact()).hasValue(began.plusSeconds(60));

    endWatchAfter(WatchQuery.LIFE);
    assertThat(informer.lastContact()).hasValue(began.plusSeconds(120));
    assertThat(cluster.lists).hasValue(1);

    cluster.refuse(KubeFailure.Kind.UNAVAILABLE);
    cluster.cut(KubeFailure.Kind.UNAVAILABLE);
    await().until(() -> informer.lastFailure().isPresent());
    assertThat(informer.isConnected()).isFalse();
    assertThat(informer.lastContact()).hasValue(began.plusSeconds(120));
  }

  @Test
  void keepsProvingByWatchesThatNothingHappened() {
    Instant began = time.instant();
    var gaps = new CopyOnWriteArrayList<Boolean>();
    startProven(MAX_STALENESS);
    cluster.onWatch(() -> gaps.add(informer.isConnected()));

    for (int watch = 1; watch < 5; watch++) {
      endWatchAfter(Duration.ofSeconds(30));
      assertThat(informer.lastContact()).hasValue(began.plusSeconds(30 * (watch - 1)));
    }

    assertThat(cluster.lists).hasValue(1);
    assertThat(cluster.lives).containsOnly(Duration.ofSeconds(30));
    assertThat(gaps).hasSize(4).containsOnly(true);
  }

  @Test
  void takesAWatchThatEndsAtOnceForNoProof() {
    Instant began = time.instant();
    startProven(MAX_STALENESS);

    endWatchAfter(Duration.ofSeconds(30));
    endWatchAfter(Duration.ofSeconds(20));

    assertThat(informer.lastContact()).hasValue(began);
    assertThat(cluster.lives).last().isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void leavesWatchesOpenOnceBookmarksCome() {
    startProven(MAX_STALENESS);

    time.advance(Duration.ofSeconds(28));
    cluster.bookmark();
    endWatchAfter(Duration.ofSeconds(2));
    assertThat(cluster.lives).last().isEqualTo(WatchQuery.LIFE);

    cluster.cut(KubeFailure.Kind.UNAVAILABLE);
    await().until(() -> cluster.watches.get() == 3);
    assertThat(cluster.lives).last().isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void givesUpAWatchThatSaysNothingAndDoesNotEnd() {
    cluster.put("one", "a", "1");
    informer =
        Informer.start(
            cluster,
            InformerSpec.of(THINGS).maxStaleness(Duration.ofMillis(150)),
            this::record,
            new InformerTiming(SystemTime.clock(), SystemTime.random(), IMPATIENT.backoff()));

    await().until(() -> cluster.watches.get() >= 3 && cluster.open() == 1);

    assertThat(cluster.lists).hasValue(1);
    cluster.put("one", "b", "1");
    await().untilAsserted(() -> assertThat(held()).isEqualTo(cluster.content()));
  }

  private void startProven(Duration maxStaleness) {
    informer =
        Informer.start(
            cluster,
            InformerSpec.of(THINGS).maxStaleness(maxStaleness),
            this::record,
            new InformerTiming(time, SystemTime.random(), IMPATIENT.backoff()));
    informer.awaitSynced(Duration.ofSeconds(10));
    await().until(() -> cluster.open() == 1 && informer.isConnected());
  }

  /** Waits until the next one is open. */
  private void endWatchAfter(Duration lasting) {
    int before = cluster.lives.size();
    time.advance(lasting);
    cluster.cut(null);
    await()
        .until(
            () -> cluster.lives.size() > before && cluster.open() == 1 && informer.isConnected());
  }

  @Test
  void readsAListNoFurtherThanThereIsRoomFor() {
    for (int i = 0; i < 10; i++) {
      cluster.put("one", "thing-" + i, "1");
    }
    var room = new Room(4);
    start(room);

    await().until(() -> room.refused() > 0);
    assertThatThrownBy(() -> informer.awaitSynced(Duration.ofSeconds(10)))
        .isInstanceOf(KubeFailure.class);
    assertThat(room.most()).isEqualTo(4);
    assertThat(room.held()).isZero();
    assertThat(held()).isEmpty();
    assertThat(cluster.lists).hasValue(1);
  }

  @Test
  void endsOnceItGrowsBeyondItsRoom() {
    cluster.put("one", "a", "1");
    var room = new Room(2);
    start(room);
    informer.awaitSynced(Duration.ofSeconds(10));
    await().until(() -> cluster.open() == 1);
    cluster.put("one", "b", "1");
    cluster.remove("one", "b");
    cluster.put("one", "c", "1");

    cluster.put("one", "d", "1");

    await().until(() -> !informer.isConnected() && cluster.open() == 0);
    assertThat(room.refused()).isOne();
    assertThat(held()).isEqualTo(Map.of("one/a", "1", "one/c", "1"));
    assertThat(room.held()).isEqualTo(2);
  }

  @Test
  void needsNoRoomForWhatAListShowsAgain() {
    cluster.put("one", "a", "1");
    cluster.put("one", "b", "1");
    var room = new Room(3);
    start(room);
    informer.awaitSynced(Duration.ofSeconds(10));
    await().until(() -> cluster.open() == 1);
    cluster.reveal("one", "b", "2");

    informer.relist();

    await().untilAsserted(() -> assertThat(held()).containsEntry("one/b", "2"));
    assertThat(room.held()).isEqualTo(2);
    assertThat(room.most()).isEqualTo(3);
  }

  private void start(CacheBudget room) {
    informer =
        Informer.start(cluster, InformerSpec.of(THINGS).within(room), this::record, IMPATIENT);
  }

  /** For so many objects. */
  private static final class Room implements CacheBudget {
    private final int objects;
    private int held;
    private int most;
    private int refused;

    Room(int objects) {
      this.objects = objects;
    }

    @Override
    public synchronized boolean take(KubeObject object) {
      if (held == objects) {
        refused++;
        return false;
      }
      held++;
      most = Math.max(most, held);
      return true;
    }

    @Override
    public synchronized void leave(KubeObject object) {
      held--;
    }

    synchronized int held() {
      return held;
    }

    synchronized int most() {
      return most;
    }

    synchronized int refused() {
      return refused;
    }
  }

  @Test
  void watchesOnFromWhereAnEndedWatchStopped() {
    cluster.put("one", "a", "1");
    start();
    cluster.put("one", "b", "1");
    await().until(() -> changes.size() == 2);

    cluster.cut(null);
    cluster.put("one", "c", "1");

    await().untilAsserted(() -> assertThat(held()).isEqualTo(cluster.content()));
    assertThat(cluster.lists).hasValue(1);
    assertThat(changes).containsExactly("added one/a=1", "added one/b=1", "added one/c=1");
  }

  @Test
  void findsAfterAWatchWhatAnOlderSchemaHid() {
    cluster.put("one", "a", "half");
    informer =
        Informer.start(
            cluster,
            InformerSpec.of(THINGS).with(InformerSpec.AfterWatch.LIST_AGAIN),
            this::record,
            IMPATIENT);
    informer.awaitSynced(Duration.ofSeconds(30));
    await().until(() -> cluster.open() == 1);

    cluster.reveal("one", "a", "whole");
    cluster.cut(null);

    await()
        .untilAsserted(() ->
            assertThat(changes).containsExactly("added one/a=half", "updated one/a=half>whole"));
  }

  @Test
  void findsWhatAWatchMissedOnRelist() {
    cluster.put("one", "a", "half");
    start();
    informer.awaitSynced(Duration.ofSeconds(30));
    await().until(() -> cluster.open() == 1);
    cluster.reveal("one", "a", "whole");

    informer.relist();

    await()
        .untilAsserted(() ->
            assertThat(changes).containsExactly("added one/a=half", "updated one/a=half>whole"));
    await().until(() -> cluster.open() == 1);
    cluster.put("one", "b", "1");
    await().untilAsserted(() -> assertThat(changes).contains("added one/b=1"));
  }

  @Test
  void isWellAgainAsSoonAsItWatchesAgain() {
    cluster.put("one", "a", "1");
    start();
    await().until(() -> cluster.open() == 1);
    cluster.refuse(KubeFailure.Kind.UNAVAILABLE);
    cluster.cut(KubeFailure.Kind.UNAVAILABLE);
    await().until(() -> informer.lastFailure().isPresent());

    cluster.refuse(null);

    await().untilAsserted(() -> assertThat(informer.lastFailure()).isEmpty());
  }

  @Test
  void watchesOnFromABookmark() {
    start();
    await().until(() -> cluster.open() == 1);
    cluster.put("one", "a", "1");
    cluster.bookmark();
    cluster.compact();

    cluster.cut(KubeFailure.Kind.UNAVAILABLE);
    cluster.put("one", "b", "1");

    await().untilAsserted(() -> assertThat(held()).isEqualTo(cluster.content()));
    assertThat(cluster.lists).hasValue(1);
  }

  @Test
  void findsWhatWasDeletedWhileItsVersionExpired() {
    cluster.put("one", "a", "1");
    cluster.put("one", "b", "1");
    cluster.put("one", "c", "1");
    start();
    cluster.refuse(KubeFailure.Kind.UNAVAILABLE);
    cluster.cut(KubeFailure.Kind.UNAVAILABLE);
    await().until(() -> informer.lastFailure().isPresent());

    cluster.remove("one", "b");
    cluster.put("one", "c", "2");
    cluster.put("one", "d", "1");
    cluster.compact();
    assertThat(held()).hasSize(3);
    cluster.refuse(null);

    await().untilAsserted(() -> assertThat(held()).isEqualTo(cluster.content()));
    assertThat(changes)
        .containsExactly(
            "added one/a=1",
            "added one/b=1",
            "added one/c=1",
            "removed one/b=1",
            "updated one/c=1>2",
            "added one/d=1");
    await().until(() -> informer.lastFailure().isEmpty());
  }

  @ParameterizedTest
  @EnumSource(
      value = KubeFailure.Kind.class,
      names = {"UNAVAILABLE", "FORBIDDEN", "NOT_SERVED", "UNAUTHORIZED", "GONE", "INVALID"})
  void keepsWhatItHoldsWhileTheServerRefuses(KubeFailure.Kind kind) {
    cluster.put("one", "a", "1");
    start();

    cluster.refuse(kind);
    cluster.cut(kind);
    int before = cluster.lists.get() + cluster.watches.get();
    await().until(() -> cluster.lists.get() + cluster.watches.get() > before + 5);

    assertThat(informer.lastFailure())
        .hasValueSatisfying(failure -> assertThat(failure.kind()).isEqualTo(kind));
    assertThat(held()).isEqualTo(Map.of("one/a", "1"));
    assertThat(informer.isConnected()).isFalse();
    assertThat(informer.isSynced()).isTrue();
  }

  @Test
  void isNotSyncedBeforeTheFirstWholeList() {
    cluster.refuse(KubeFailure.Kind.FORBIDDEN);
    informer = Informer.start(cluster, InformerSpec.of(THINGS), this::record, IMPATIENT);
    await().until(() -> informer.lastFailure().isPresent());

    assertThat(informer.isSynced()).isFalse();
    assertThatThrownBy(() -> informer.awaitSynced(Duration.ofMillis(1)))
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure -> assertThat(failure.kind()).isEqualTo(KubeFailure.Kind.FORBIDDEN))
        .hasMessageContaining("things.example.io not listed")
        .hasMessageContaining("as the test wants it");

    cluster.refuse(null);
    informer.awaitSynced(Duration.ofSeconds(10));
  }

  @Test
  void readsALongListInOne() {
    for (int i = 0; i < 2 * FullList.PAGE_ITEMS + 1; i++) {
      cluster.put("one", "thing-" + i, "1");
    }
    start();

    assertThat(cluster.lists).hasValue(1);
    assertThat(held()).isEqualTo(cluster.content());
  }

  @Test
  void holdsListedObjectsWithTheirType() {
    KubeObject watchedAs = cluster.put("one", "a", "1");
    start();

    assertThat(informer.cache().all()).containsExactly(watchedAs);
  }

  @Test
  void readsAListInPagesThatBrokeOff() {
    for (int i = 0; i < 2 * FullList.PAGE_ITEMS + 1; i++) {
      cluster.put("one", "thing-" + i, "1");
    }
    cluster.breakOffWholeListsAfter(2 * FullList.PAGE_ITEMS);
    start();

    assertThat(cluster.lists).hasValue(1 + 3);
    assertThat(held()).isEqualTo(cluster.content());
  }

  @Test
  void findsByIndexWhatHasAValueNow() {
    cluster.put("one", "a", "red");
    cluster.put("two", "b", "red");
    informer =
        Informer.start(
            cluster,
            InformerSpec.of(THINGS)
                .indexedBy("colour", object -> List.of(object.text("spec", "value"))),
            this::record,
            IMPATIENT);
    informer.awaitSynced(Duration.ofSeconds(10));

    cluster.put("one", "a", "blue");
    cluster.remove("two", "b");

    await().until(() -> changes.size() == 4);
    assertThat(informer.cache().indexed("colour", "red")).isEmpty();
    assertThat(informer.cache().indexed("colour", "blue"))
        .extracting(KubeObject::name)
        .containsExactly("a");
    assertThatThrownBy(() -> informer.cache().indexed("shape", "round"))
        .hasMessage("no index shape; there is [colour]");
  }

  @Test
  void goesOnWhenAListenerFails() {
    start();
    informer.addListener(_ -> {
      throw new IllegalStateException("a listener's own fault");
    });
    var late = new CopyOnWriteArrayList<Change>();
    informer.addListener(late::add);

    cluster.put("one", "a", "1");

    await().until(() -> late.size() == 1);
    assertThat(changes).containsExactly("added one/a=1");
  }

  @Test
  void tellsALateListenerWhatIsAlreadyThere() {
    cluster.put("one", "a", "1");
    start();
    var late = new CopyOnWriteArrayList<Change>();

    informer.addListener(late::add);

    assertThat(late).singleElement().isInstanceOf(Change.Added.class);
  }

  @Test
  void endsItsWatchWhenClosed() {
    start();
    await().until(() -> cluster.open() == 1);

    informer.close();
    cluster.put("one", "a", "1");

    await().until(() -> cluster.open() == 0);
    assertThat(changes).isEmpty();
  }

  @Test
  void reportsThatTheServerAnswersAgainAfterEveryEndOfAWatch() {
    var resumed = new AtomicInteger();
    informer = Informer.start(cluster, InformerSpec.of(THINGS), counting(resumed), IMPATIENT);
    informer.awaitSynced(Duration.ofSeconds(10));
    await().until(() -> cluster.open() == 1);
    assertThat(resumed).hasValue(0);

    cluster.cut(null);
    await().untilAsserted(() -> assertThat(resumed).hasValue(1));
    cluster.refuse(KubeFailure.Kind.UNAVAILABLE);
    cluster.cut(KubeFailure.Kind.UNAVAILABLE);
    await().until(() -> informer.lastFailure().isPresent());
    assertThat(resumed).hasValue(1);
    cluster.refuse(null);

    await().untilAsserted(() -> assertThat(resumed).hasValue(2));
  }

  @Test
  void reportsThatTheServerAnswersWhereItNoLongerServesTheType() {
    var resumed = new AtomicInteger();
    informer = Informer.start(cluster, InformerSpec.of(THINGS), counting(resumed), IMPATIENT);
    informer.awaitSynced(Duration.ofSeconds(10));
    await().until(() -> cluster.open() == 1);

    cluster.refuse(KubeFailure.Kind.NOT_SERVED);
    cluster.cut(KubeFailure.Kind.UNAVAILABLE);

    await().untilAsserted(() -> assertThat(resumed).hasPositiveValue());
  }

  private ChangeListener counting(AtomicInteger resumed) {
    return new ChangeListener() {
      @Override
      public void changed(Change change) {
        record(change);
      }

      @Override
      public void resumed() {
        resumed.incrementAndGet();
      }
    };
  }

  private void start() {
    informer = Informer.start(cluster, InformerSpec.of(THINGS), this::record, IMPATIENT);
    informer.awaitSynced(Duration.ofSeconds(10));
  }

  private Map<String, String> held() {
    var held = new LinkedHashMap<String, String>();
    for (KubeObject object : informer.cache().all()) {
      held.put(named(ObjectCache.keyOf(object)), object.text("spec", "value"));
    }
    return held;
  }

  private void record(Change change) {
    changes.add(
        switch (change) {
          case Change.Added(var key, var object) -> "added " + named(key) + value("=", object);
          case Change.Updated(var key, var before, var after) ->
              "updated " + named(key) + value("=", before) + value(">", after);
          case Change.Removed(var key, var last) -> "removed " + named(key) + value("=", last);
        });
  }

  private static String named(ObjectKey key) {
    return key.cluster() + "/" + key.name();
  }

  private static String value(String sign, KubeObject object) {
    return sign + object.text("spec", "value");
  }
}
