package dev.mooring.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PendingWritesTest {
  private static final ObjectKey KEY = new ObjectKey(LogicalCluster.NONE, "ns", "a");

  private final PendingWrites<String> writes = new PendingWrites<>();

  @Test
  void knowsWhatWasWrittenUntilTheWatchShowsIt() {
    KubeObject written = object("u", "7");
    writes.wrote("a", written);
    assertThat(writes.find("a")).contains(written);
    assertThat(all()).containsExactly(written);

    writes.changed("a", updated(object("u", "7")));

    assertThat(writes.find("a")).isEmpty();
    assertThat(all()).isEmpty();
  }

  @Test
  void isNotMisledByAnOlderEvent() {
    KubeObject written = object("u", "7");
    writes.wrote("a", written);

    writes.changed("a", updated(object("u", "6")));

    assertThat(writes.find("a")).contains(written);
    assertThat(writes.newest("a", () -> Optional.of(object("u", "6")))).contains(written);
  }

  @Test
  void believesACacheThatIsNewer() {
    writes.wrote("a", object("u", "7"));
    KubeObject cached = object("u", "10");

    assertThat(writes.newest("a", () -> Optional.of(cached))).contains(cached);
    assertThat(writes.find("a")).isEmpty();
  }

  @Test
  void hasNoUseForAnAnswerThatTheWatchWasFasterThan() {
    writes.begin("a");
    writes.changed("a", new Change.Added(KEY, object("u", "7")));
    writes.changed("a", new Change.Removed(KEY, object("u", "8")));

    writes.wrote("a", object("u", "7"));

    assertThat(writes.find("a")).isEmpty();
  }

  @Test
  void keepsAnAnswerWhereTheWatchHasShownOnlyWhatWasBefore() {
    writes.begin("a");
    writes.changed("a", updated(object("u", "6")));
    writes.changed("a", updated(object("u", "5")));

    writes.wrote("a", object("u", "7"));

    assertThat(writes.find("a")).contains(object("u", "7"));
  }

  @Test
  void takesNothingForThereThatItRemoved() {
    KubeObject cached = object("u", "7");
    writes.wrote("a", object("u", "8"));

    writes.removed("a", "u");

    assertThat(writes.find("a")).isEmpty();
    assertThat(writes.isRemoved("a", cached)).isTrue();
    assertThat(writes.newest("a", () -> Optional.of(cached))).isEmpty();
    assertThat(writes.newest("a", () -> Optional.of(object("v", "9")))).isPresent();
  }

  @Test
  void forgetsWhatItRemovedOnceTheWatchHasShownIt() {
    writes.removed("a", "u");

    writes.changed("a", new Change.Removed(KEY, object("other", "3")));
    assertThat(writes.isRemoved("a", object("u", "7"))).isTrue();

    writes.changed("a", new Change.Removed(KEY, object("u", "8")));
    assertThat(writes.isRemoved("a", object("u", "7"))).isFalse();
  }

  @Test
  void believesTheWatchAgainWhereItRemovedTooMuchToRemember() {
    for (int i = 0; i <= PendingWrites.REMOVED_MAX; i++) {
      writes.removed("a" + i, "u");
    }

    assertThat(writes.isRemoved("a0", object("u", "7"))).isFalse();
    assertThat(writes.isRemoved("a" + PendingWrites.REMOVED_MAX, object("u", "7"))).isTrue();
  }

  @Test
  void takesARemovalAsFinalHoweverOldTheLastVersion() {
    writes.wrote("a", object("u", "7"));

    writes.changed("a", new Change.Removed(KEY, object("u", "3")));

    assertThat(writes.find("a")).isEmpty();
  }

  @Test
  void keepsANewObjectWhereTheWatchShowsTheEndOfItsPredecessor() {
    KubeObject successor = object("new", "7");
    writes.wrote("a", successor);

    writes.changed("a", new Change.Removed(KEY, object("old", "6")));

    assertThat(writes.find("a")).contains(successor);
  }

  @Test
  void keepsAnEarlierWriteWhileAnotherIsUnderWay() {
    KubeObject earlier = object("u", "7");
    writes.wrote("a", earlier);
    writes.begin("a");
    assertThat(writes.find("a")).contains(earlier);

    writes.forget("a");

    assertThat(writes.find("a")).isEmpty();
  }

  /** Else a Namespace with a copy in it counts as empty, and is deleted. */
  @Test
  void missesNothingThatTheWatchShowsWhileTheCacheIsRead() {
    KubeObject written = object("u", "7");
    writes.wrote("a", written);

    assertThat(
            writes.newest(
                () -> {
                  writes.changed("a", new Change.Added(KEY, written));
                  return List.of();
                },
                KubeObject::name))
        .containsExactly(written);

    writes.wrote("b", written);
    assertThat(
            writes.newest(
                "b",
                () -> {
                  writes.changed("b", new Change.Added(KEY, written));
                  return Optional.empty();
                }))
        .contains(written);
  }

  @Test
  void hasEachOfManyOnceAndNoneThatItRemoved() {
    writes.wrote("a", object("u", "7"));
    writes.removed("gone", "g");
    KubeObject other = named("other", object("o", "3"));

    assertThat(
            writes.newest(
                () -> List.of(named("a", object("u", "6")), named("gone", object("g", "2")), other),
                KubeObject::name))
        .containsExactlyInAnyOrder(object("u", "7"), other);
  }

  @Test
  void tellsOnlyEqualVersionsWhereTheyAreNoNumbers() {
    writes.wrote("a", object("u", "one"));
    writes.changed("a", updated(object("u", "two")));
    assertThat(writes.find("a")).isPresent();

    writes.changed("a", updated(object("u", "one")));

    assertThat(writes.find("a")).isEmpty();
  }

  private static Change updated(KubeObject after) {
    return new Change.Updated(KEY, after, after);
  }

  private static KubeObject object(String uid, String version) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("namespace", "ns", "name", "a", "uid", uid, "resourceVersion", version)));
  }

  private List<KubeObject> all() {
    return writes.newest(List::of, KubeObject::name);
  }

  private static KubeObject named(String name, KubeObject object) {
    return object.with(name, "metadata", "name");
  }
}
