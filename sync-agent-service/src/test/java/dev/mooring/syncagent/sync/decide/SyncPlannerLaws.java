package dev.mooring.syncagent.sync.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import dev.mooring.syncagent.content.decide.LastSynced;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.published.SyncPolicy;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.syncagent.published.SyncPolicy.OnLeave;
import dev.mooring.syncagent.sync.decide.SyncPlan.Act;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Holds the planner's laws on every combination of what can be seen of a source and its copy. */
class SyncPlannerLaws {
  /** Hold, namespace, copy, content, status; and delete, release for the way back. */
  private static final int WRITES_MAX = 5;

  @Test
  void neverReleasesASourceWhileACopyIsVisible() {
    everywhere(SyncPlannerLaws::neverReleasesASourceWhileACopyIsVisible);
  }

  private static void neverReleasesASourceWhileACopyIsVisible(World world) {
    if (plan(world) instanceof Act(SyncAction.RemoveFinalizer _)) {
      assertThat(
              world.copy() instanceof CopyLookup.Missing
                  || world.copy() instanceof CopyLookup.NameTaken)
          .isTrue();
    }
  }

  @Test
  void deletesACopyOnlyIfItsSourceIsGoingOrIsToLeave() {
    everywhere(SyncPlannerLaws::deletesACopyOnlyIfItsSourceIsGoingOrIsToLeave);
  }

  private static void deletesACopyOnlyIfItsSourceIsGoingOrIsToLeave(World world) {
    if (plan(world) instanceof Act(SyncAction.DeleteCopy(var copy, var _))) {
      assertThat(world.source()).isPresent();
      boolean leaves =
          !world.rules().resourceFilter().equals(LabelSelector.EVERYTHING)
              && world.rules().policy().onLeave() == OnLeave.DELETE;
      assertThat(world.source().get().deleting() || leaves).isTrue();
      assertThat(SourceMarks.identityOf(copy)).isEqualTo(SourceMarks.identity(Fixture.KEY));
    }
  }

  @Test
  void neverStopsAtALivingCopyOfAGoingSource() {
    everywhere(SyncPlannerLaws::neverStopsAtALivingCopyOfAGoingSource);
  }

  private static void neverStopsAtALivingCopyOfAGoingSource(World world) {
    boolean going =
        world.source().filter(KubeObject::deleting).isPresent()
            && world.rules().synchronization() == Synchronization.ON;
    if (going && world.copy() instanceof CopyLookup.Found(var copy, var _) && !copy.deleting()) {
      assertThat(plan(world)).isInstanceOf(Act.class);
    }
  }

  @Test
  void writesNothingWhilePaused() {
    everywhere(SyncPlannerLaws::writesNothingWhilePaused);
  }

  private static void writesNothingWhilePaused(World world) {
    if (world.rules().synchronization() == Synchronization.PAUSED) {
      assertThat(plan(world)).isNotInstanceOf(Act.class);
    }
  }

  @Test
  void changesNothingOfALivingSourceThatLeftAndIsToKeepItsCopy() {
    everywhere(SyncPlannerLaws::changesNothingOfALivingSourceThatLeftAndIsToKeepItsCopy);
  }

  private static void changesNothingOfALivingSourceThatLeftAndIsToKeepItsCopy(World world) {
    boolean lives = world.source().filter(source -> !source.deleting()).isPresent();
    boolean left = !world.rules().resourceFilter().equals(LabelSelector.EVERYTHING);
    if (lives && left && world.rules().policy().onLeave() == OnLeave.KEEP) {
      assertThat(plan(world)).isInstanceOf(SyncPlan.Skip.class);
    }
  }

  @Test
  void leavesNoFieldThatTheSourceHasDifferentWhereDriftIsReverted() {
    everywhere(SyncPlannerLaws::leavesNoFieldThatTheSourceHasDifferentWhereDriftIsReverted);
  }

  private static void leavesNoFieldThatTheSourceHasDifferentWhereDriftIsReverted(World world) {
    boolean reverts = world.rules().policy().drift() == SyncPolicy.Drift.REVERT;
    if (reverts
        && world.source().isPresent()
        && plan(world) instanceof SyncPlan.InSync
        && !world.source().get().deleting()
        && world.copy() instanceof CopyLookup.Found(var copy, var _)) {
      assertThat(SyncedContent.drift(copy, SyncedContent.of(world.source().get()))).isEmpty();
    }
  }

  @Test
  void givesEqualPlansForEqualSnapshots() {
    everywhere(SyncPlannerLaws::givesEqualPlansForEqualSnapshots);
  }

  private static void givesEqualPlansForEqualSnapshots(World world) {
    assertThat(plan(world)).isEqualTo(plan(world));
  }

  @Test
  void writesToACopyOnlyWhileItsSourceIsHeld() {
    everywhere(SyncPlannerLaws::writesToACopyOnlyWhileItsSourceIsHeld);
  }

  private static void writesToACopyOnlyWhileItsSourceIsHeld(World world) {
    switch (plan(world)) {
      case Act(SyncAction.CreateCopy _), Act(SyncAction.PatchCopy _), Act(SyncAction.AdoptCopy _) ->
          assertThat(world.source().orElseThrow().hasFinalizer(SyncMarks.FINALIZER)).isTrue();
      default -> {}
    }
  }

  @Test
  void neverTouchesAnObjectMarkedAsAnothers() {
    everywhere(SyncPlannerLaws::neverTouchesAnObjectMarkedAsAnothers);
  }

  private static void neverTouchesAnObjectMarkedAsAnothers(World world) {
    KubeObject touched =
        switch (plan(world)) {
          case Act(SyncAction.AdoptCopy(var stranger, var _, var _)) -> stranger;
          case Act(SyncAction.PatchCopy(var copy, var _, var _)) -> copy;
          case Act(SyncAction.DeleteCopy(var copy, var _)) -> copy;
          case Act(SyncAction.ReleaseCopy(var copy, var _)) -> copy;
          default -> null;
        };
    if (touched != null && world.rules().adoption() != Adoption.ALWAYS) {
      assertThat(touched.labels().getOrDefault(SyncMarks.SOURCE_CLUSTER, "c1")).isEqualTo("c1");
    }
  }

  @Test
  void settlesWithinFiveWrites() {
    everywhere(SyncPlannerLaws::settlesWithinFiveWrites);
  }

  private static void settlesWithinFiveWrites(World start) {
    World world = start;
    for (int writes = 0; writes <= WRITES_MAX; writes++) {
      if (!(plan(world) instanceof Act(var action))) {
        return;
      }
      world = world.after(action);
    }
    assertThat(plan(world)).as("after %d writes", WRITES_MAX).isNotInstanceOf(Act.class);
  }

  private static SyncPlan plan(World world) {
    return SyncPlanner.plan(
        Fixture.seen(world.rules(), world.source().orElse(null), world.copy(), world.namespace()));
  }

  /** A law that does not hold says where. */
  private static void everywhere(Consumer<World> law) {
    for (World world : worlds()) {
      try {
        law.accept(world);
      } catch (AssertionError e) {
        throw new AssertionError("does not hold for " + world, e);
      }
    }
  }

  private static List<World> worlds() {
    var worlds = new ArrayList<World>();
    for (Optional<KubeObject> source : sources()) {
      for (CopyLookup copy : copies()) {
        for (CopyNamespace namespace :
            List.of(CopyNamespace.PRESENT, CopyNamespace.ABSENT, CopyNamespace.TERMINATING)) {
          rules().forEach(rules -> worlds.add(new World(rules, source, copy, namespace)));
        }
      }
    }
    return worlds;
  }

  private static List<SyncRules> rules() {
    var rules = new ArrayList<SyncRules>();
    for (Adoption adoption : Adoption.values()) {
      for (Synchronization mode : List.of(Synchronization.ON, Synchronization.PAUSED)) {
        rules.add(Fixture.rules(adoption, mode));
      }
    }
    for (SyncPolicy.Drift drift : SyncPolicy.Drift.values()) {
      rules.add(Fixture.with(new SyncPolicy(drift, OnLeave.KEEP, EmptyNamespaces.KEEP)));
    }
    var wanted = new LabelSelector.Requirement("wanted", LabelSelector.Operator.EXISTS, List.of());
    for (OnLeave onLeave : OnLeave.values()) {
      rules.add(
          Fixture.filtering(new LabelSelector(List.of(wanted)), LabelSelector.EVERYTHING, onLeave));
    }
    return rules;
  }

  private static List<Optional<KubeObject>> sources() {
    KubeObject source = Fixture.source();
    return List.of(
        Optional.empty(),
        Optional.of(source),
        Optional.of(Fixture.held(source)),
        Optional.of(Fixture.held(source).with(4L, "spec", "size")),
        Optional.of(Fixture.deleting(Fixture.held(source))),
        Optional.of(Fixture.deleting(source.with(List.of("foreign"), "metadata", "finalizers"))));
  }

  private static List<CopyLookup> copies() {
    KubeObject copy = Fixture.copy();
    KubeObject adopted = copy.with("true", "metadata", "annotations", SyncMarks.ADOPTED);
    KubeObject others =
        Fixture.stranger().with("c2", "metadata", "labels", SyncMarks.SOURCE_CLUSTER);
    return List.of(
        new CopyLookup.Missing(),
        Fixture.found(copy),
        Fixture.found(copy.with("Ready", "status", "phase")),
        Fixture.found(copy.with(99L, "spec", "size")),
        Fixture.found(Fixture.deleting(copy)),
        Fixture.found(adopted),
        new CopyLookup.Found(copy.with(99L, "spec", "size"), new LastSynced.Damaged()),
        new CopyLookup.Found(copy.with(99L, "spec", "size"), new LastSynced.NotKept()),
        new CopyLookup.Found(
            Fixture.deleting(copy).with(99L, "spec", "size"), new LastSynced.NotKept()),
        new CopyLookup.NameTaken(Fixture.stranger()),
        new CopyLookup.NameTaken(Fixture.deleting(Fixture.stranger())),
        new CopyLookup.NameTaken(others),
        new CopyLookup.Ambiguous(List.of("a", "b")));
  }

  /** Both sides, and what each write does to them. */
  record World(
      SyncRules rules, Optional<KubeObject> source, CopyLookup copy, CopyNamespace namespace) {
    World after(SyncAction action) {
      return switch (action) {
        case SyncAction.AddFinalizer(var held, var finalizers) ->
            withSource(held.with(finalizers, "metadata", "finalizers"));
        case SyncAction.RemoveFinalizer(var released, var finalizers, var _) ->
            finalizers.isEmpty()
                ? new World(rules, Optional.empty(), copy, namespace)
                : withSource(released.with(finalizers, "metadata", "finalizers"));
        case SyncAction.PatchSourceStatus(var desired) -> withSource(desired);
        case SyncAction.CreateNamespace _ -> new World(rules, source, copy, CopyNamespace.PRESENT);
        case SyncAction.CreateCopy(var desired, var lastKnown, var _) ->
            withCopy(new CopyLookup.Found(desired, new LastSynced.Known(lastKnown)));
        case SyncAction.AdoptCopy(var stranger, var patch, var lastKnown) ->
            withCopy(found(stranger, patch, lastKnown));
        case SyncAction.PatchCopy(var patched, var patch, var lastKnown) ->
            withCopy(found(patched, patch, lastKnown));
        case SyncAction.DeleteCopy _, SyncAction.ReleaseCopy _ ->
            withCopy(new CopyLookup.Missing());
      };
    }

    private static CopyLookup found(
        KubeObject before, Map<String, Object> patch, Map<String, Object> lastKnown) {
      return new CopyLookup.Found(MergePatch.apply(before, patch), new LastSynced.Known(lastKnown));
    }

    private World withSource(KubeObject changed) {
      return new World(rules, Optional.of(changed), copy, namespace);
    }

    private World withCopy(CopyLookup changed) {
      return new World(rules, source, changed, namespace);
    }

    @Override
    public String toString() {
      return source
              .map(s -> s + (s.deleting() ? " going" : "") + s.finalizers())
              .orElse("no source")
          + ", "
          + copy.getClass().getSimpleName()
          + ", "
          + namespace
          + ", "
          + rules.adoption()
          + ", "
          + rules.synchronization()
          + ", "
          + rules.policy();
    }
  }

  @Test
  void keepsTheContentOfWhatItAdopts() {
    everywhere(SyncPlannerLaws::keepsTheContentOfWhatItAdopts);
  }

  private static void keepsTheContentOfWhatItAdopts(World world) {
    if (plan(world) instanceof Act(SyncAction.AdoptCopy(var stranger, var patch, var _))) {
      assertThat(SyncedContent.of(MergePatch.apply(stranger, patch)))
          .isEqualTo(SyncedContent.of(stranger));
    }
  }
}
