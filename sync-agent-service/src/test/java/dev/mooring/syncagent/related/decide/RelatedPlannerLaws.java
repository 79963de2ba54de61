package dev.mooring.syncagent.related.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.model.published.Adoption;
import dev.mooring.model.published.PublishedResource;
import dev.mooring.model.published.RelatedResource;
import dev.mooring.model.published.RelatedResource.Cleanup;
import dev.mooring.model.published.RelatedResource.Origin;
import dev.mooring.model.published.SyncMarks;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.related.decide.RelatedPlan.Act;
import dev.mooring.syncagent.related.decide.RelatedRecord.Ownership;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.CopyNamespace;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Sharing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Holds the planner's laws on every combination of original, copy and record, both directions. */
class RelatedPlannerLaws {
  /** Hold, namespace, content, record, note; and as many for an old copy that has to go first. */
  private static final int WRITES_MAX = 8;

  private static final Place PLACE = new Place("default", "tls");
  private static final Place OLD_PLACE = new Place("default", "old");

  @Test
  void deletesOnlyRecordedCopiesThatTheAgentMade() {
    everywhere(RelatedPlannerLaws::deletesOnlyRecordedCopiesThatTheAgentMade);
  }

  private static void deletesOnlyRecordedCopiesThatTheAgentMade(RelatedSnapshot world) {
    for (RelatedPlan plan : both(world)) {
      if (plan instanceof Act(RelatedAction.DeleteCopy(var copy))) {
        assertThat(world.record().orElseThrow().ownership()).isEqualTo(Ownership.MADE);
        assertThat(Place.of(copy)).isEqualTo(world.record().orElseThrow().place());
      }
    }
  }

  @Test
  void neverWritesToWhatIsMarkedAsAnothers() {
    everywhere(RelatedPlannerLaws::neverWritesToWhatIsMarkedAsAnothers);
  }

  private static void neverWritesToWhatIsMarkedAsAnothers(RelatedSnapshot world) {
    for (RelatedPlan plan : both(world)) {
      if (plan instanceof Act(RelatedAction.PatchCopy(var copy, var _))
          && world.record().isEmpty()
          && world.adoption() != Adoption.ALWAYS) {
        assertThat(copy.labels().getOrDefault(SyncMarks.SOURCE_CLUSTER, "c1")).isEqualTo("c1");
      }
    }
  }

  @Test
  void releasesAnOriginalOnlyWhenNothingIsRecordedOfACopy() {
    everywhere(RelatedPlannerLaws::releasesAnOriginalOnlyWhenNothingIsRecordedOfACopy);
  }

  private static void releasesAnOriginalOnlyWhenNothingIsRecordedOfACopy(RelatedSnapshot world) {
    for (RelatedPlan plan : both(world)) {
      if (plan instanceof Act(RelatedAction.ReleaseOriginal _)) {
        assertThat(world.record()).isEmpty();
        assertThat(world.sharing()).isEqualTo(Sharing.SOLE);
      }
    }
  }

  @Test
  void copiesOnlyOriginalsThatStay() {
    everywhere(RelatedPlannerLaws::copiesOnlyOriginalsThatStay);
  }

  private static void copiesOnlyOriginalsThatStay(RelatedSnapshot world) {
    for (RelatedPlan plan : both(world)) {
      if (plan instanceof Act(RelatedAction.CreateCopy _)
          || plan instanceof Act(RelatedAction.PatchCopy _)) {
        assertThat(world.original().filter(o -> !o.deleting())).isPresent();
      }
    }
  }

  @Test
  void settlesWhileThePrimaryLives() {
    everywhere(RelatedPlannerLaws::settlesWhileThePrimaryLives);
  }

  private static void settlesWhileThePrimaryLives(RelatedSnapshot world) {
    settles(world, RelatedPlanner::keepInStep);
  }

  @Test
  void settlesWhileThePrimaryGoes() {
    everywhere(RelatedPlannerLaws::settlesWhileThePrimaryGoes);
  }

  private static void settlesWhileThePrimaryGoes(RelatedSnapshot world) {
    settles(world, RelatedPlanner::windDown);
  }

  private static void settles(
      RelatedSnapshot start, Function<RelatedSnapshot, RelatedPlan> planner) {
    RelatedSnapshot world = start;
    for (int writes = 0; writes < WRITES_MAX; writes++) {
      if (!(planner.apply(world) instanceof Act(var action))) {
        return;
      }
      world = after(world, action);
    }
    assertThat(planner.apply(world)).isNotInstanceOf(Act.class);
  }

  private static List<RelatedPlan> both(RelatedSnapshot world) {
    return List.of(RelatedPlanner.keepInStep(world), RelatedPlanner.windDown(world));
  }

  /** A law that does not hold says where. */
  private static void everywhere(Consumer<RelatedSnapshot> law) {
    for (RelatedSnapshot world : worlds()) {
      try {
        law.accept(world);
      } catch (AssertionError e) {
        throw new AssertionError("does not hold for " + world, e);
      }
    }
  }

  private static List<RelatedSnapshot> worlds() {
    var worlds = new ArrayList<RelatedSnapshot>();
    for (Origin origin : Origin.values()) {
      for (Cleanup cleanup : Cleanup.values()) {
        for (Optional<KubeObject> original : originals()) {
          for (Optional<KubeObject> copy : copies()) {
            for (Optional<RelatedRecord> record : records()) {
              for (Sharing sharing : Sharing.values()) {
                for (Adoption adoption : Adoption.values()) {
                  worlds.add(world(origin, cleanup, original, copy, record, sharing, adoption));
                }
              }
            }
          }
        }
      }
    }
    return worlds;
  }

  private static RelatedSnapshot world(
      Origin origin,
      Cleanup cleanup,
      Optional<KubeObject> original,
      Optional<KubeObject> copy,
      Optional<RelatedRecord> record,
      Sharing sharing,
      Adoption adoption) {
    RelatedResource entry = entry(origin);
    return new RelatedSnapshot(
        new RelatedResource(
            entry.identifier(), origin, entry.type(), "", entry.name(), Optional.empty(), cleanup),
        secret("primary"),
        original,
        Optional.of(PLACE),
        copy,
        record,
        record.flatMap(known ->
            known.place().equals(PLACE)
                ? copy
                : Optional.of(secret(OLD_PLACE.name()).with("old", "metadata", "uid"))),
        CopyNamespace.ABSENT,
        origin == Origin.KCP ? Optional.of(marks()) : Optional.empty(),
        Optional.empty(),
        sharing,
        adoption);
  }

  private static List<Optional<KubeObject>> originals() {
    KubeObject held = secret("tls").with(List.of(SyncMarks.FINALIZER), "metadata", "finalizers");
    return List.of(
        Optional.empty(),
        Optional.of(secret("tls")),
        Optional.of(held),
        Optional.of(held.with("now", "metadata", "deletionTimestamp")));
  }

  private static List<Optional<KubeObject>> copies() {
    KubeObject same = secret("tls");
    return List.of(
        Optional.empty(),
        Optional.of(same),
        Optional.of(same.with("eA==", "data", "key")),
        Optional.of(SyncedContent.marked(same, marks().labels(), marks().annotations())),
        Optional.of(same.with("c2", "metadata", "labels", SyncMarks.SOURCE_CLUSTER)),
        Optional.of(same.with("now", "metadata", "deletionTimestamp")));
  }

  private static List<Optional<RelatedRecord>> records() {
    var type = entry(Origin.SERVICE).type();
    Map<String, Object> content = SyncedContent.of(secret("tls"));
    return List.of(
        Optional.empty(),
        Optional.of(new RelatedRecord(type, PLACE, Ownership.MADE, content)),
        Optional.of(new RelatedRecord(type, PLACE, Ownership.ADOPTED, Map.of())),
        Optional.of(new RelatedRecord(type, OLD_PLACE, Ownership.MADE, content)));
  }

  private static RelatedSnapshot after(RelatedSnapshot world, RelatedAction action) {
    return switch (action) {
      case RelatedAction.HoldOriginal(var original, var finalizers) ->
          with(
              world,
              Optional.of(original.with(finalizers, "metadata", "finalizers")),
              world.copy(),
              world.record(),
              world.recordedCopy(),
              world.copyNamespace(),
              world.note());
      case RelatedAction.ReleaseOriginal(var original, var finalizers) ->
          with(
              world,
              Optional.of(original.with(finalizers, "metadata", "finalizers")),
              world.copy(),
              world.record(),
              world.recordedCopy(),
              world.copyNamespace(),
              world.note());
      case RelatedAction.CreateNamespace _ ->
          with(
              world,
              world.original(),
              world.copy(),
              world.record(),
              world.recordedCopy(),
              CopyNamespace.PRESENT,
              world.note());
      case RelatedAction.CreateCopy(var desired) ->
          with(
              world,
              world.original(),
              Optional.of(desired),
              world.record(),
              world.record().isPresent() ? Optional.of(desired) : Optional.empty(),
              world.copyNamespace(),
              world.note());
      case RelatedAction.PatchCopy(var copy, var patch) -> {
        Optional<KubeObject> patched = Optional.of(MergePatch.apply(copy, patch));
        yield with(
            world,
            world.original(),
            patched,
            world.record(),
            world.record().isPresent() ? patched : Optional.empty(),
            world.copyNamespace(),
            world.note());
      }
      case RelatedAction.DeleteCopy(var copy) ->
          with(
              world,
              world.original(),
              Place.of(copy).equals(PLACE) ? Optional.empty() : world.copy(),
              world.record(),
              Optional.empty(),
              world.copyNamespace(),
              world.note());
      case RelatedAction.StoreRecord(var record) ->
          with(
              world,
              world.original(),
              world.copy(),
              Optional.of(record),
              world.copy(),
              world.copyNamespace(),
              world.note());
      case RelatedAction.DropRecord() ->
          with(
              world,
              world.original(),
              world.copy(),
              Optional.empty(),
              Optional.empty(),
              world.copyNamespace(),
              world.note());
      case RelatedAction.Note(var value) ->
          with(
              world,
              world.original(),
              world.copy(),
              world.record(),
              world.recordedCopy(),
              world.copyNamespace(),
              Optional.of(value));
      case RelatedAction.RemoveNote() ->
          with(
              world,
              world.original(),
              world.copy(),
              world.record(),
              world.recordedCopy(),
              world.copyNamespace(),
              Optional.empty());
    };
  }

  private static RelatedSnapshot with(
      RelatedSnapshot world,
      Optional<KubeObject> original,
      Optional<KubeObject> copy,
      Optional<RelatedRecord> record,
      Optional<KubeObject> recordedCopy,
      CopyNamespace namespace,
      Optional<String> note) {
    return new RelatedSnapshot(
        world.entry(),
        world.primary(),
        original,
        world.copyPlace(),
        copy,
        record,
        recordedCopy,
        namespace,
        world.marks(),
        note,
        world.sharing(),
        world.adoption());
  }

  private static SourceMarks marks() {
    return new SourceMarks(
        new ObjectKey(new LogicalCluster("c1"), "default", "tls"), "agent", Optional.empty());
  }

  private static RelatedResource entry(Origin origin) {
    KubeObject resource =
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of("name", "pub"),
                "spec",
                Map.of(
                    "resource",
                    Map.of("kind", "Thing"),
                    "related",
                    List.of(
                        Map.of(
                            "identifier",
                            "tls",
                            "origin",
                            origin == Origin.KCP ? "kcp" : "service",
                            "kind",
                            "Secret",
                            "object",
                            Map.of("reference", Map.of("path", "spec.tls")))))));
    return PublishedResource.read(resource).related().getFirst();
  }

  private static KubeObject secret(String name) {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Secret",
            "metadata",
            Map.of("name", name, "namespace", "default", "uid", name, "resourceVersion", "1"),
            "data",
            Map.of("key", "dmFsdWU=")));
  }
}
