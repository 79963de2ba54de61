package dev.mooring.syncagent.sync.decide;

import static dev.mooring.syncagent.sync.decide.Fixture.copy;
import static dev.mooring.syncagent.sync.decide.Fixture.deleting;
import static dev.mooring.syncagent.sync.decide.Fixture.filtering;
import static dev.mooring.syncagent.sync.decide.Fixture.found;
import static dev.mooring.syncagent.sync.decide.Fixture.held;
import static dev.mooring.syncagent.sync.decide.Fixture.rules;
import static dev.mooring.syncagent.sync.decide.Fixture.seen;
import static dev.mooring.syncagent.sync.decide.Fixture.source;
import static dev.mooring.syncagent.sync.decide.Fixture.stranger;
import static dev.mooring.syncagent.sync.decide.Fixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import dev.mooring.syncagent.content.decide.LastSynced;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.DeletionPropagation;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.published.SyncPolicy;
import dev.mooring.syncagent.published.SyncPolicy.Drift;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.syncagent.published.SyncPolicy.OnLeave;
import dev.mooring.syncagent.sync.decide.SyncPlan.Act;
import dev.mooring.syncagent.sync.decide.SyncPlan.Await;
import dev.mooring.syncagent.sync.decide.SyncPlan.InSync;
import dev.mooring.syncagent.sync.decide.SyncPlan.Refuse;
import dev.mooring.syncagent.sync.decide.SyncPlan.Skip;
import dev.mooring.syncagent.sync.decide.SyncPlan.Why;
import dev.mooring.syncagent.sync.decide.SyncSnapshot.SourceNamespace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SyncPlannerTest {
  private static final LabelSelector LABELLED =
      new LabelSelector(
          List.of(new LabelSelector.Requirement("sync", LabelSelector.Operator.EXISTS, List.of())));

  private static final CopyLookup MISSING = new CopyLookup.Missing();

  @Test
  void decidesInThisOrder() {
    assertThat(SyncPlanner.CHECKS)
        .extracting(SyncPlanner.Check::name)
        .containsExactly(
            "sourceAbsent",
            "paused",
            "namespaceUnknown",
            "outOfFilter",
            "finalizerMissing",
            "severalCopies",
            "copyTerminating",
            "sourceEndsBeforeCopy",
            "sourceEnds",
            "copyNameUnusable",
            "targetNamespaceAbsent",
            "targetNamespaceTerminating",
            "copyMissing",
            "nameCollision",
            "nameTerminating",
            "nameAdoptable",
            "stateNotKept",
            "contentDiffers",
            "statusDiffers",
            "driftReported");
  }

  @Test
  void holdsTheSourceFirstAndKeepsForeignFinalizers() {
    KubeObject source = source().with(List.of("foreign"), "metadata", "finalizers");

    assertThat(SyncPlanner.plan(seen(source, MISSING)))
        .isEqualTo(
            new Act(new SyncAction.AddFinalizer(source, List.of("foreign", SyncMarks.FINALIZER))));
  }

  @Test
  void makesTheNamespaceBeforeTheCopy() {
    assertThat(SyncPlanner.plan(seen(rules(), held(source()), MISSING, CopyNamespace.ABSENT)))
        .isEqualTo(new Act(new SyncAction.CreateNamespace("c1")));
  }

  @Test
  void saysThatTheNamespaceOfTheCopyIsBeingDeleted() {
    assertThat(SyncPlanner.plan(seen(rules(), held(source()), MISSING, CopyNamespace.TERMINATING)))
        .isEqualTo(
            new Refuse(
                Why.NAMESPACE_TERMINATING,
                "Namespace \"c1\" of the provider's cluster is being deleted; the copy is made there"
                    + " once that is over."));
  }

  @Test
  void makesAMarkedCopyOfTheContentAlone() {
    var create = (SyncAction.CreateCopy) action(held(source()), MISSING);

    KubeObject expected = copy().without("metadata", "uid").without("metadata", "resourceVersion");
    assertThat(create.desired()).isEqualTo(expected);
    assertThat(create.lastKnown()).isEqualTo(SyncedContent.of(source()));
    assertThat(create.ifSourceUid()).isEqualTo("source-uid");
  }

  @Test
  void leavesAConvergedPairAlone() {
    assertThat(SyncPlanner.plan(seen(held(source()), found(copy())))).isEqualTo(new InSync());
  }

  @Test
  void bringsDownOnlyWhatChangedInTheSource() {
    KubeObject localEdit = copy().with("local", "spec", "color").with(5L, "spec", "size");
    KubeObject sourceEdit = held(source()).with(List.of("b"), "spec", "list");

    var patch = (SyncAction.PatchCopy) action(sourceEdit, found(localEdit));

    assertThat(patch.patch()).isEqualTo(Map.of("spec", Map.of("list", List.of("b"))));
    assertThat(patch.lastKnown()).isEqualTo(SyncedContent.of(sourceEdit));
  }

  @Test
  void letsTheSourceWinOnAFieldThatBothChanged() {
    KubeObject localEdit = copy().with(5L, "spec", "size");

    var patch =
        (SyncAction.PatchCopy) action(held(source()).with(9L, "spec", "size"), found(localEdit));

    assertThat(patch.patch()).isEqualTo(Map.of("spec", Map.of("size", 9L)));
  }

  /** Otherwise a later local edit of the field would look like the source's change. */
  @Test
  void remembersAChangeThatTheCopyAlreadyHas() {
    KubeObject localEdit = copy().with(9L, "spec", "size");
    KubeObject sameEdit = held(source()).with(9L, "spec", "size");

    var patch = (SyncAction.PatchCopy) action(sameEdit, found(localEdit));

    assertThat(patch.patch()).isEmpty();
    assertThat(patch.lastKnown()).isEqualTo(SyncedContent.of(sameEdit));
  }

  /** As the Go agent leaves a copy, where its state is not to be trusted. */
  @Test
  void leavesACopyAsItIsOfWhichNothingWasKept() {
    KubeObject local =
        copy()
            .with("local", "spec", "color")
            .with(99L, "spec", "size")
            .without("metadata", "labels", SyncMarks.AGENT_NAME);

    var adopt =
        (SyncAction.AdoptCopy)
            action(held(source()), new CopyLookup.Found(local, new LastSynced.NotKept()));

    assertThat(adopt.patch())
        .isEqualTo(Map.of("metadata", Map.of("labels", Map.of(SyncMarks.AGENT_NAME, "agent"))));
    assertThat(adopt.lastKnown()).isEqualTo(SyncedContent.of(source()));
  }

  @Test
  void overlaysWhereWhatIsKnownOfThePastCannotBeRead() {
    KubeObject local =
        copy().with("local", "spec", "color").with("local", "metadata", "labels", "mine");

    var patch =
        (SyncAction.PatchCopy)
            action(held(source()), new CopyLookup.Found(local, new LastSynced.Damaged()));

    var nulled = new java.util.HashMap<String, Object>();
    nulled.put("color", null);
    assertThat(patch.patch()).isEqualTo(Map.of("spec", nulled));
  }

  @Test
  void restoresMarksThatWereTakenOff() {
    KubeObject bare = copy().without("metadata", "annotations", SyncMarks.SOURCE_NAME);

    var patch = (SyncAction.PatchCopy) action(held(source()), found(bare));

    assertThat(patch.patch())
        .isEqualTo(Map.of("metadata", Map.of("annotations", Map.of(SyncMarks.SOURCE_NAME, "web"))));
  }

  @Test
  void bringsStatusUp() {
    KubeObject withStatus = copy().with(Map.of("phase", "Ready"), "status");

    assertThat(action(held(source()), found(withStatus)))
        .isEqualTo(
            new SyncAction.PatchSourceStatus(
                held(source()).with(Map.of("phase", "Ready"), "status")));
  }

  @Test
  void deletesTheCopyThenWaitsThenReleasesTheSource() {
    KubeObject going = deleting(held(source()));

    assertThat(action(going, found(copy())))
        .isEqualTo(new SyncAction.DeleteCopy(copy(), DeletionPropagation.BACKGROUND));
    assertThat(SyncPlanner.plan(seen(going, found(deleting(copy())))))
        .isEqualTo(new Await(Why.COPY_TERMINATING));
    assertThat(action(going, MISSING))
        .isEqualTo(new SyncAction.RemoveFinalizer(going, List.of("foreign")));
  }

  @Test
  void leavesACopyAloneThatAnotherClientDeletes() {
    KubeObject changed = held(source()).with(7L, "spec", "days");

    assertThat(SyncPlanner.plan(seen(changed, found(deleting(copy())))))
        .isEqualTo(new Await(Why.COPY_TERMINATING));
  }

  @Test
  void honoursDeletionOfASourceThatLeftTheFilter() {
    KubeObject going = deleting(held(source()));
    SyncRules rules = filtering(LABELLED, LabelSelector.EVERYTHING, OnLeave.KEEP);

    assertThat(SyncPlanner.plan(seen(rules, going, found(copy()), CopyNamespace.PRESENT)))
        .isEqualTo(new Act(new SyncAction.DeleteCopy(copy(), DeletionPropagation.BACKGROUND)));
    assertThat(SyncPlanner.plan(seen(rules, going, MISSING, CopyNamespace.PRESENT)))
        .isEqualTo(new Act(new SyncAction.RemoveFinalizer(going, List.of("foreign"))));
  }

  @Test
  void leavesTheCopyOfASourceThatLeftTheFilterUnlessAskedToDeleteIt() {
    SyncRules keep = filtering(LABELLED, LabelSelector.EVERYTHING, OnLeave.KEEP);
    SyncRules delete = filtering(LABELLED, LabelSelector.EVERYTHING, OnLeave.DELETE);
    KubeObject changed = held(source()).with(9L, "spec", "size");

    assertThat(SyncPlanner.plan(seen(keep, changed, found(copy()), CopyNamespace.PRESENT)))
        .isEqualTo(new Skip(Why.OUT_OF_FILTER));
    assertThat(SyncPlanner.plan(seen(delete, changed, found(copy()), CopyNamespace.PRESENT)))
        .isEqualTo(new Act(new SyncAction.DeleteCopy(copy(), DeletionPropagation.BACKGROUND)));
    assertThat(SyncPlanner.plan(seen(delete, changed, MISSING, CopyNamespace.PRESENT)))
        .isEqualTo(new Act(new SyncAction.RemoveFinalizer(changed, List.of("foreign"))));
    assertThat(SyncPlanner.plan(seen(delete, source(), MISSING, CopyNamespace.PRESENT)))
        .isEqualTo(new Skip(Why.OUT_OF_FILTER));
  }

  @Test
  void neverDeletesForANamespaceWhoseLabelsItCannotSee() {
    SyncRules rules = filtering(LabelSelector.EVERYTHING, LABELLED, OnLeave.DELETE);

    assertThat(SyncPlanner.plan(inNamespace(rules, new SourceNamespace.Unseen())))
        .isEqualTo(new Await(Why.NAMESPACE_UNSEEN));
    assertThat(SyncPlanner.plan(inNamespace(rules, new SourceNamespace.Hidden("accept it"))))
        .isEqualTo(new Refuse(Why.CLAIM_REJECTED, "accept it"));
    assertThat(SyncPlanner.plan(inNamespace(rules, new SourceNamespace.Labelled(Map.of()))))
        .isEqualTo(new Act(new SyncAction.DeleteCopy(copy(), DeletionPropagation.BACKGROUND)));
    assertThat(
            SyncPlanner.plan(
                inNamespace(rules, new SourceNamespace.Labelled(Map.of("sync", "yes")))))
        .isEqualTo(new InSync());
  }

  private static SyncSnapshot inNamespace(SyncRules rules, SourceNamespace namespace) {
    return new SyncSnapshot(
        rules,
        Fixture.KEY,
        Optional.of(held(source())),
        namespace,
        found(copy()),
        Optional.empty(),
        CopyNamespace.NOT_NEEDED,
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void setsBackLocalChangesWhereAskedToAndKeepsFieldsThatOnlyTheCopyHas() {
    KubeObject edited =
        copy().with(99L, "spec", "size").with("local", "spec", "defaulted").with("x", "extra");

    assertThat(SyncPlanner.plan(edited(policy(Drift.KEEP_LOCAL), edited))).isEqualTo(new InSync());
    assertThat(SyncPlanner.plan(edited(policy(Drift.REVERT), edited)))
        .isEqualTo(
            new Act(
                new SyncAction.PatchCopy(
                    edited, Map.of("spec", Map.of("size", 3L)), SyncedContent.of(source()))));
  }

  @Test
  void namesLocalChangesWithoutTheirValuesWhereAskedTo() {
    KubeObject edited =
        copy().with(99L, "spec", "size").with("local", "spec", "defaulted").with("x", "extra");

    assertThat(SyncPlanner.plan(edited(policy(Drift.REPORT), edited)))
        .isEqualTo(new SyncPlan.Drifted(edited, List.of("spec.size")));
    assertThat(SyncPlanner.plan(edited(policy(Drift.REPORT), copy()))).isEqualTo(new InSync());
  }

  private static SyncRules policy(Drift drift) {
    return with(new SyncPolicy(drift, OnLeave.KEEP, EmptyNamespaces.KEEP));
  }

  private static SyncSnapshot edited(SyncRules rules, KubeObject edited) {
    return Fixture.seen(rules, held(source()), found(edited), CopyNamespace.PRESENT);
  }

  @Test
  void removesAnEmptiedNamespaceWithTheSource() {
    KubeObject going = deleting(held(source()));
    KubeObject namespace = KubeObject.of(Map.of("metadata", Map.of("name", "c1")));
    var seen =
        new SyncSnapshot(
            rules(),
            Fixture.KEY,
            Optional.of(going),
            new SourceNamespace.NotAsked(),
            MISSING,
            Optional.of(Fixture.place()),
            CopyNamespace.PRESENT,
            Optional.of(namespace),
            Optional.empty());

    assertThat(SyncPlanner.plan(seen))
        .isEqualTo(
            new Act(
                new SyncAction.RemoveFinalizer(going, List.of("foreign"), Optional.of(namespace))));
  }

  @Test
  void writesNothingForAPausedSourceNotEvenItsDeletion() {
    KubeObject paused =
        deleting(held(source())).with("", "metadata", "annotations", SyncMarks.PAUSED);

    assertThat(SyncPlanner.plan(seen(paused, found(copy())))).isEqualTo(new Skip(Why.PAUSED));
  }

  @Test
  void goesOnWithASourceThatSaysItIsNotPaused() {
    KubeObject source = held(source()).with("false", "metadata", "annotations", SyncMarks.PAUSED);

    assertThat(SyncPlanner.plan(seen(source, found(copy())))).isEqualTo(new InSync());
  }

  @Test
  void emptiesAStatusThatWasEmptied() {
    KubeObject reported = held(source()).with(Map.of("phase", "Ready"), "status");

    assertThat(action(reported, found(copy())))
        .isEqualTo(new SyncAction.PatchSourceStatus(held(source())));
    assertThat(SyncPlanner.plan(seen(held(source()).with(Map.of(), "status"), found(copy()))))
        .isEqualTo(new InSync());
  }

  @Test
  void leavesPausedSourcesAlone() {
    KubeObject paused = source().with("yes", "metadata", "annotations", SyncMarks.PAUSED);

    assertThat(SyncPlanner.plan(seen(paused, MISSING))).isEqualTo(new Skip(Why.PAUSED));
    assertThat(
            SyncPlanner.plan(
                seen(
                    rules(Adoption.UNCLAIMED, Synchronization.PAUSED),
                    source(),
                    MISSING,
                    CopyNamespace.PRESENT)))
        .isEqualTo(new Skip(Why.PAUSED));
  }

  @Test
  void adoptsAnUnclaimedObjectWithoutTouchingItsContent() {
    var adopt = (SyncAction.AdoptCopy) action(held(source()), new CopyLookup.NameTaken(stranger()));

    assertThat(adopt.patch()).containsOnlyKeys("metadata");
    assertThat(adopt.lastKnown()).isEqualTo(SyncedContent.of(source()));
    assertThat(adopt.patch().toString()).contains(SyncMarks.ADOPTED);
  }

  @Test
  void adoptsNothingThatIsTerminating() {
    assertThat(
            SyncPlanner.plan(seen(held(source()), new CopyLookup.NameTaken(deleting(stranger())))))
        .isEqualTo(new Await(Why.NAME_TERMINATING));
  }

  @Test
  void releasesAnAdoptedCopyInsteadOfDeletingIt() {
    KubeObject adopted = copy().with("true", "metadata", "annotations", SyncMarks.ADOPTED);

    var release = (SyncAction.ReleaseCopy) action(deleting(held(source())), found(adopted));

    assertThat(release.patch()).containsOnlyKeys("metadata");
    assertThat(release.patch().toString()).contains(SyncMarks.SOURCE_CLUSTER + "=null");
  }

  @Test
  void refusesAnObjectThatIsMarkedAsAnothers() {
    KubeObject others = stranger().with("other-agent", "metadata", "labels", SyncMarks.AGENT_NAME);

    for (Adoption adoption : List.of(Adoption.NEVER, Adoption.MARKED, Adoption.UNCLAIMED)) {
      SyncPlan plan =
          SyncPlanner.plan(
              seen(
                  rules(adoption, Synchronization.ON),
                  held(source()),
                  new CopyLookup.NameTaken(others),
                  CopyNamespace.PRESENT));
      assertThat(plan)
          .isInstanceOfSatisfying(
              Refuse.class, refuse -> assertThat(refuse.why()).isEqualTo(Why.NAME_COLLISION));
    }
  }

  @Test
  void namesTheAgentWhoseCopyHasTheName() {
    KubeObject others = copy().with("other-agent", "metadata", "labels", SyncMarks.AGENT_NAME);

    SyncPlan plan = SyncPlanner.plan(seen(held(source()), new CopyLookup.NameTaken(others)));

    assertThat(plan)
        .isInstanceOfSatisfying(
            Refuse.class,
            refuse -> {
              assertThat(refuse.why()).isEqualTo(Why.NAME_COLLISION);
              assertThat(refuse.message())
                  .contains("an object of sync agent \"other-agent\"", "Nothing was changed");
            });
  }

  @Test
  void adoptionRulesDifferOnlyWhereTheyShould() {
    KubeObject unclaimed = stranger();
    KubeObject remains = stranger().with("c1", "metadata", "labels", SyncMarks.SOURCE_CLUSTER);
    KubeObject others = stranger().with("c2", "metadata", "labels", SyncMarks.SOURCE_CLUSTER);

    assertThat(adopting(unclaimed)).containsExactly(Adoption.UNCLAIMED, Adoption.ALWAYS);
    assertThat(adopting(remains))
        .containsExactly(Adoption.MARKED, Adoption.UNCLAIMED, Adoption.ALWAYS);
    assertThat(adopting(others)).containsExactly(Adoption.ALWAYS);
  }

  @Test
  void refusesWhenNamingGivesNoName() {
    var rules = rules();
    var nowhere =
        new SyncSnapshot(
            rules,
            Fixture.KEY,
            Optional.of(held(source())),
            new SourceNamespace.NotAsked(),
            MISSING,
            Optional.of(new CopyName.Nowhere("because")),
            CopyNamespace.NOT_NEEDED,
            Optional.empty(),
            Optional.empty());

    assertThat(SyncPlanner.plan(nowhere)).isEqualTo(new Refuse(Why.NAMING_FAILED, "because"));
  }

  @Test
  void doesNothingForASourceThatIsGone() {
    assertThat(SyncPlanner.plan(seen(null, found(copy())))).isEqualTo(new InSync());
  }

  private static List<Adoption> adopting(KubeObject object) {
    return List.of(Adoption.values()).stream()
        .filter(adoption ->
            SyncPlanner.plan(
                    seen(
                        rules(adoption, Synchronization.ON),
                        held(source()),
                        new CopyLookup.NameTaken(object),
                        CopyNamespace.PRESENT))
                instanceof Act)
        .toList();
  }

  private static SyncAction action(KubeObject source, CopyLookup copy) {
    return ((Act) SyncPlanner.plan(seen(source, copy))).action();
  }
}
