package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.RelatedWorld.FINALIZERS;
import static dev.mooring.syncagent.related.decide.RelatedWorld.secret;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.decide.RelatedWorld.Phase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Holds the planner's laws on every combination of what is called for, originals, copies and
 * records, in both directions, for one copy, two, and two originals that want the same copy.
 */
class RelatedPlannerLaws {
  /** Record, hold, namespace, content, record for each of two; and the removal of old ones. */
  private static final int WRITES_MAX = 16;

  /** Marked is as Never for copies that carry no marks. */
  private static final List<Adoption> ADOPTIONS =
      List.of(Adoption.NEVER, Adoption.UNCLAIMED, Adoption.ALWAYS);

  private static final String OTHERS_CLUSTER = "c2";

  @Test
  void deletesOnlyCopiesThatTheAgentMadeAndNoOtherAgentNeeds() {
    everyStep((world, action) -> {
      if (action instanceof RelatedAction.DeleteCopy(var at, var copy, var _, var _)) {
        RelatedRecord record = world.recordOf(at).orElseThrow();
        assertThat(record.ownership()).isNotEqualTo(Ownership.ADOPTED);
        if (record.ownership() == Ownership.INTENDED || record.isAnother(copy)) {
          assertThat(copy.at("data")).isEqualTo(record.lastKnown().get("data"));
        }
        if (at.equals(world.copyRef("c1"))) {
          assertThat(world.others()).isEqualTo(OtherOwners.NONE);
          assertThat(
                  world.otherAgents() == OtherAgents.NONE
                      || world.at(record.original()).filter(o -> !o.deleting()).isEmpty())
              .as("nobody else's, or without an original")
              .isTrue();
        }
        assertThat(copy.labels()).doesNotContainEntry(SyncMarks.SOURCE_CLUSTER, OTHERS_CLUSTER);
      }
    });
  }

  @Test
  void onlyRecordsWhileThePrimarysCopyIsThere() {
    everyStep((world, _) ->
        assertThat(world.kept())
            .allSatisfy(action ->
                assertThat(action)
                    .isInstanceOfSatisfying(
                        RelatedAction.StoreRecord.class,
                        store -> assertThat(world.recordOf(store.record().copy())).isEmpty())));
  }

  @Test
  void writesOnlyToCopiesThatAreRecordedOrMayBeTakenOn() {
    everyStep((world, action) -> {
      if (action instanceof RelatedAction.PatchCopy(var at, var copy, var _, var _)) {
        Optional<RelatedRecord> record = world.recordOf(at).filter(RelatedRecord::isDone);
        if (record.isEmpty() || record.get().isAnother(copy)) {
          assertThat(world.rules().adoption()).isEqualTo(Adoption.ALWAYS);
        }
      }
    });
  }

  @Test
  void leavesACopyToWhomeverWritesItFirst() {
    everyStep((world, action) -> {
      if (world.others() == OtherOwners.THEY_WRITE || world.others() == OtherOwners.CONFLICT) {
        ObjectRef shared = world.copyRef("c1");
        switch (action) {
          case RelatedAction.CreateCopy(var at, var _) -> assertThat(at).isNotEqualTo(shared);
          case RelatedAction.PatchCopy(var at, var _, var _, var _) ->
              assertThat(at).isNotEqualTo(shared);
          default -> {}
        }
      }
    });
  }

  @Test
  void releasesAnOriginalOnlyWhenItsCopyIsGoneOrNotOurs() {
    everyStep((world, action) -> {
      if (action instanceof RelatedAction.RemoveFinalizer(var at, var _, var _)) {
        for (RelatedRecord record : world.records()) {
          boolean ofThis = record.original().equals(at);
          boolean calledForAgain =
              world.called().stream()
                  .anyMatch(
                      pair -> pair.copy().equals(record.copy()) && !pair.original().equals(at));
          boolean left =
              (world.others() != OtherOwners.NONE || world.otherAgents() == OtherAgents.ANNOUNCED)
                  && record.copy().equals(world.copyRef("c1"));
          if (ofThis && !calledForAgain && !left && record.ownership() == Ownership.MADE) {
            assertThat(
                    world
                        .at(record.copy())
                        .filter(copy -> !SourceMarks.isMarked(copy))
                        .filter(copy -> !record.isAnother(copy)))
                .isEmpty();
          }
        }
      }
    });
  }

  @Test
  void tellsOtherAgentsOnlyOfCopiesThatItWouldDelete() {
    everyStep((world, action) -> {
      if (action instanceof RelatedAction.AnnounceHandover(var record)) {
        assertThat(world.otherAgents()).isEqualTo(OtherAgents.NOT_ANNOUNCED);
        assertThat(record.ownership()).isNotEqualTo(Ownership.ADOPTED);
        assertThat(world.at(record.copy())).isPresent();
      }
    });
  }

  @Test
  void holdsNoOriginalThatNoRecordNames() {
    everyStep((world, action) -> {
      if (action instanceof RelatedAction.AddFinalizer(var at, var _, var _)) {
        assertThat(world.records()).extracting(RelatedRecord::original).contains(at);
      }
    });
  }

  @Test
  void copiesOnlyOriginalsThatStay() {
    everyStep((world, action) -> {
      if (action instanceof RelatedAction.CreateCopy(var at, var _)) {
        assertThat(world.called())
            .filteredOn(pair -> pair.copy().equals(at))
            .anySatisfy(pair ->
                assertThat(world.at(world.originalRef(pair.original().name())))
                    .hasValueSatisfying(original -> assertThat(original.deleting()).isFalse()));
      }
    });
  }

  @Test
  void leavesNothingBehindWhereNothingStandsInTheWay() {
    everyEnd(end -> {
      if (!(end.plan() instanceof Progress.Settled)) {
        return;
      }
      for (RelatedRecord record : end.records()) {
        assertThat(end.called())
            .anySatisfy(pair -> {
              assertThat(pair.copy()).isEqualTo(record.copy());
              assertThat(pair.original()).isEqualTo(record.original());
            });
        assertThat(end.at(record.original())).isPresent();
      }
      if (end.rules().entry().origin() == Side.KCP && end.others() == OtherOwners.NONE) {
        for (String name : List.of("o1", "o2", "o3")) {
          ObjectRef ref = end.originalRef(name);
          boolean needed = end.records().stream().anyMatch(r -> r.original().equals(ref));
          boolean reachable = end.called().stream().anyMatch(pair -> pair.original().equals(ref));
          end.at(ref)
              .filter(_ -> !needed && reachable)
              .filter(KubeObject::deleting)
              .ifPresent(
                  original -> assertThat(original.finalizers()).doesNotContain(FINALIZERS.own()));
        }
      }
    });
  }

  @Test
  void namesEveryCopyInKcpOnThePrimaryOnceItIsThere() {
    everyEnd(end -> {
      if (end.plan() instanceof Progress.Settled
          && end.rules().entry().origin() == Side.SERVICE
          && end.rules().entry().cleanup() == Cleanup.KEEP
          && end.others() == OtherOwners.NONE) {
        assertThat(end.notes().keySet())
            .allSatisfy(key -> assertThat(key).startsWith(SyncMarks.RELATED_PREFIX + "tls."));
      }
    });
  }

  @Test
  void givesEqualPlansForEqualSnapshots() {
    everyStep((world, _) -> assertThat(world.plan()).isEqualTo(world.plan()));
  }

  /** Every action on the way of every world; a law that does not hold says where. */
  private static void everyStep(BiConsumer<RelatedWorld, RelatedAction> law) {
    for (Step step : Walks.STEPS) {
      check(step.world(), () -> law.accept(step.world(), step.action()));
    }
  }

  /** Every world as it is once nothing more is to be done. */
  private static void everyEnd(Consumer<RelatedWorld> law) {
    Walks.ENDS.forEach(end -> check(end, () -> law.accept(end)));
  }

  private static void check(RelatedWorld world, Runnable law) {
    try {
      law.run();
    } catch (AssertionError e) {
      throw new AssertionError("does not hold for " + world, e);
    }
  }

  private record Step(RelatedWorld world, RelatedAction action) {}

  /** Walked once for all laws. */
  private static final class Walks {
    static final List<Step> STEPS = new ArrayList<>();
    static final List<RelatedWorld> ENDS = new ArrayList<>();

    static {
      worlds().forEach(Walks::walk);
    }

    private static void walk(RelatedWorld start) {
      RelatedWorld world = start;
      for (int writes = 0; writes <= WRITES_MAX; writes++) {
        if (!(world.plan() instanceof RelatedAction action)) {
          ENDS.add(world);
          return;
        }
        STEPS.add(new Step(world, action));
        world = world.after(action);
      }
      throw new AssertionError("does not settle: " + start);
    }
  }

  private static List<RelatedWorld> worlds() {
    var worlds = new ArrayList<RelatedWorld>();
    for (Phase phase : Phase.values()) {
      for (Side origin : Side.values()) {
        for (Cleanup cleanup :
            // The others only leave out steps of these.
            origin == Side.KCP ? List.of(Cleanup.DELETE) : List.of(Cleanup.KEEP, Cleanup.DELETE)) {
          for (Adoption adoption : phase == Phase.GOING ? List.of(Adoption.NEVER) : ADOPTIONS) {
            for (List<String> called :
                List.of(
                    List.<String>of(),
                    List.of("o1>c1"),
                    List.of("o1>c1", "o2>c2"),
                    List.of("o1>c1", "o2>c1"))) {
              for (OtherOwners others :
                  called.size() > 1 ? new OtherOwners[] {OtherOwners.NONE} : OtherOwners.values()) {
                for (OtherAgents otherAgents :
                    called.size() > 1 || others != OtherOwners.NONE
                        ? new OtherAgents[] {OtherAgents.NONE}
                        : OtherAgents.values()) {
                  for (KubeObject original : originals()) {
                    for (KubeObject copy : copies()) {
                      for (String record : records()) {
                        worlds.add(
                            world(
                                new RelatedWorld(
                                        RelatedWorld.entryOf(origin, cleanup),
                                        adoption,
                                        called,
                                        others,
                                        phase)
                                    .with(otherAgents),
                                original,
                                copy,
                                record));
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    return worlds;
  }

  private static RelatedWorld world(
      RelatedWorld world, KubeObject original, KubeObject copy, String record) {
    world
        .with(world.originalRef("o1"), original)
        .with(world.originalRef("o2"), secret("o2"))
        .with(
            world.originalRef("o3"),
            secret("o3").with(FINALIZERS.addedTo(secret("o3")), "metadata", "finalizers"))
        .with(world.copyRef("c1"), copy)
        .with(world.copyRef("c3"), secret("c3"));
    for (String one : record.split(" ")) {
      if (!one.isEmpty()) {
        String[] parts = one.split(">");
        world.with(
            Ownership.valueOf(parts[0]), parts[1], parts[2], parts.length > 3 ? parts[3] : "");
      }
    }
    return world;
  }

  /** Null for none. */
  private static List<KubeObject> originals() {
    KubeObject held = secret("o1").with(FINALIZERS.addedTo(secret("o1")), "metadata", "finalizers");
    return Arrays.asList(
        null, secret("o1"), held, held.with("now", "metadata", "deletionTimestamp"));
  }

  /** Null for none. */
  private static List<KubeObject> copies() {
    KubeObject same = secret("c1");
    return Arrays.asList(
        null,
        same,
        same.with("eA==", "data", "key"),
        same.with("eA==", "data", "key")
            .with(OTHERS_CLUSTER, "metadata", "labels", SyncMarks.SOURCE_CLUSTER),
        same.with("now", "metadata", "deletionTimestamp"));
  }

  private static List<String> records() {
    return List.of(
        "",
        "INTENDED>o1>c1",
        "MADE>o1>c1",
        "ADOPTED>o1>c1",
        "MADE>o1>c1>c1",
        "MADE>o1>c1>earlier",
        "ADOPTED>o1>c1>earlier",
        "MADE>o3>c1",
        "MADE>o1>c1 MADE>o3>c3",
        "INTENDED>o3>c3");
  }
}
