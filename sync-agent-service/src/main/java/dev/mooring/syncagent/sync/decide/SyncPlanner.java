package dev.mooring.syncagent.sync.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import dev.mooring.syncagent.content.decide.LastSynced;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.content.decide.ValueDigests;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.DeletionPropagation;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.published.SyncPolicy.Drift;
import dev.mooring.syncagent.published.SyncPolicy.OnLeave;
import dev.mooring.syncagent.published.mutation.Counterparts;
import dev.mooring.syncagent.published.mutation.MutationFailure;
import dev.mooring.syncagent.sync.decide.CopyLookup.Ambiguous;
import dev.mooring.syncagent.sync.decide.CopyLookup.Found;
import dev.mooring.syncagent.sync.decide.CopyLookup.Missing;
import dev.mooring.syncagent.sync.decide.CopyLookup.NameTaken;
import dev.mooring.syncagent.sync.decide.SyncPlan.Act;
import dev.mooring.syncagent.sync.decide.SyncPlan.Await;
import dev.mooring.syncagent.sync.decide.SyncPlan.Drifted;
import dev.mooring.syncagent.sync.decide.SyncPlan.InSync;
import dev.mooring.syncagent.sync.decide.SyncPlan.Refuse;
import dev.mooring.syncagent.sync.decide.SyncPlan.Skip;
import dev.mooring.syncagent.sync.decide.SyncPlan.Why;
import dev.mooring.syncagent.sync.decide.SyncSnapshot.SourceNamespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next step for one consumer's object and its copy. The first of {@link #CHECKS} that
 * applies gives the plan; if none does, both are in sync.
 *
 * <p>Laws: the finalizer is never removed while a copy is visible; a copy is deleted only if its
 * source is being deleted, or left a filter whose owner wants that; equal snapshots give equal
 * plans; every action carries its precondition.
 */
public final class SyncPlanner {
  /** The order of the checks is the specification: a check may rely on those before it. */
  static final List<Check> CHECKS =
      List.of(
          new Check("sourceAbsent", SyncPlanner::sourceAbsent),
          new Check("paused", SyncPlanner::paused),
          new Check("namespaceUnknown", SyncPlanner::namespaceUnknown),
          new Check("outOfFilter", SyncPlanner::outOfFilter),
          new Check("finalizerMissing", SyncPlanner::finalizerMissing),
          new Check("severalCopies", SyncPlanner::severalCopies),
          new Check("copyTerminating", SyncPlanner::copyTerminating),
          new Check("sourceEndsBeforeCopy", SyncPlanner::sourceEndsBeforeCopy),
          new Check("sourceEnds", SyncPlanner::sourceEnds),
          new Check("copyNameUnusable", SyncPlanner::copyNameUnusable),
          new Check("targetNamespaceAbsent", SyncPlanner::targetNamespaceAbsent),
          new Check("targetNamespaceTerminating", SyncPlanner::targetNamespaceTerminating),
          new Check("copyMissing", SyncPlanner::copyMissing),
          new Check("nameCollision", SyncPlanner::nameCollision),
          new Check("nameTerminating", SyncPlanner::nameTerminating),
          new Check("nameAdoptable", SyncPlanner::nameAdoptable),
          new Check("stateNotKept", SyncPlanner::stateNotKept),
          new Check("contentDiffers", SyncPlanner::contentDiffers),
          new Check("statusDiffers", SyncPlanner::statusDiffers),
          new Check("driftReported", SyncPlanner::driftReported));

  private final SyncSnapshot seen;
  private final SyncRules rules;
  private final SourceMarks marks;
  private final Selection selection;

  /** One named step: empty if it does not apply. The name is for the test of the order. */
  record Check(String name, Function<SyncPlanner, Optional<SyncPlan>> decision) {}

  private SyncPlanner(SyncSnapshot seen) {
    this.seen = seen;
    this.rules = seen.rules();
    this.marks = new SourceMarks(seen.key(), rules.agentName(), seen.path());
    // An absent source is in no filter; the first check ends with it.
    this.selection = seen.source().map(this::selection).orElse(Selection.OUT);
  }

  public static SyncPlan plan(SyncSnapshot seen) {
    var planner = new SyncPlanner(seen);
    try {
      return CHECKS.stream()
          .flatMap(check -> check.decision().apply(planner).stream())
          .findFirst()
          .orElseGet(InSync::new);
    } catch (MutationFailure e) {
      return new Refuse(Why.MUTATION_FAILED, "This object cannot be passed on: " + e.getMessage());
    }
  }

  /**
   * Whether related objects may be synced even if the plan fails: they depend on the primary, which
   * is on both sides and stays there, and not on its own last write. Credentials must not outlive
   * their origin because a server rejects a status.
   */
  public static boolean allowsRelated(SyncSnapshot seen, SyncPlan plan) {
    boolean stays = seen.source().filter(source -> !source.deleting()).isPresent();
    return stays
        && seen.copy() instanceof Found(var copy, var _)
        && !copy.deleting()
        && switch (plan) {
          case InSync(), Drifted _ -> true;
          case Refuse(var why, var _) -> why == Why.MUTATION_FAILED;
          case Act(SyncAction.PatchCopy _),
              Act(SyncAction.AdoptCopy _),
              Act(SyncAction.PatchSourceStatus _) ->
              true;
          case Act _, Skip _, Await _ -> false;
        };
  }

  /** Removed by force, or hidden. A copy stays: absence alone never deletes anything. */
  private Optional<SyncPlan> sourceAbsent() {
    return when(seen.source().isEmpty(), new InSync());
  }

  private Optional<SyncPlan> paused() {
    // "false" does not pause; every other value does.
    return when(
        rules.synchronization() == Synchronization.PAUSED
            || !source().annotation(SyncMarks.PAUSED).orElse("false").equalsIgnoreCase("false"),
        new Skip(Why.PAUSED));
  }

  private Optional<SyncPlan> namespaceUnknown() {
    return when(
        !source().deleting() && selection == Selection.UNKNOWN,
        seen.sourceNamespace() instanceof SourceNamespace.Hidden(var why)
            ? new Refuse(Why.CLAIM_REJECTED, why)
            : new Await(Why.NAMESPACE_UNSEEN));
  }

  private Optional<SyncPlan> outOfFilter() {
    boolean cleansUp =
        rules.policy().onLeave() == OnLeave.DELETE && source().hasFinalizer(SyncMarks.FINALIZER);
    return when(
        !source().deleting() && selection == Selection.OUT && !cleansUp,
        new Skip(Why.OUT_OF_FILTER));
  }

  private Optional<SyncPlan> finalizerMissing() {
    if (isEnding() || source().hasFinalizer(SyncMarks.FINALIZER)) {
      return Optional.empty();
    }
    var finalizers = new ArrayList<>(source().finalizers());
    finalizers.add(SyncMarks.FINALIZER);
    return act(new SyncAction.AddFinalizer(source(), finalizers));
  }

  private Optional<SyncPlan> severalCopies() {
    return seen.copy() instanceof Ambiguous(var names)
        ? Optional.of(
            new Refuse(
                Why.SEVERAL_COPIES,
                "Several objects at the provider are marked as this one's copy: "
                    + names
                    + ". Nothing is changed until the provider has removed all but one."))
        : Optional.empty();
  }

  private Optional<SyncPlan> copyTerminating() {
    return when(
        seen.copy() instanceof Found(var copy, var _) && copy.deleting(),
        new Await(Why.COPY_TERMINATING));
  }

  /** An adopted copy existed before its source and stays. */
  private Optional<SyncPlan> sourceEndsBeforeCopy() {
    if (!isEnding() || !(seen.copy() instanceof Found(var copy, var _))) {
      return Optional.empty();
    }
    return act(
        copy.annotation(SyncMarks.ADOPTED).isPresent() && rules.adoption() != Adoption.ALWAYS
            ? new SyncAction.ReleaseCopy(copy, SyncedContent.patch(copy, unmarked(copy)))
            : new SyncAction.DeleteCopy(copy, DeletionPropagation.of(seen.source())));
  }

  private Optional<SyncPlan> sourceEnds() {
    if (!isEnding()) {
      return Optional.empty();
    }
    List<String> others =
        source().finalizers().stream().filter(each -> !each.equals(SyncMarks.FINALIZER)).toList();
    return source().hasFinalizer(SyncMarks.FINALIZER)
        ? act(new SyncAction.RemoveFinalizer(source(), others, seen.emptied()))
        : Optional.of(new InSync());
  }

  private Optional<SyncPlan> copyNameUnusable() {
    return isCopyMissing() && seen.place().orElseThrow() instanceof CopyName.Nowhere(var message)
        ? Optional.of(new Refuse(Why.NAMING_FAILED, message))
        : Optional.empty();
  }

  private Optional<SyncPlan> targetNamespaceAbsent() {
    return isCopyMissing() && seen.targetNamespace() == CopyNamespace.ABSENT
        ? act(new SyncAction.CreateNamespace(place().namespace()))
        : Optional.empty();
  }

  private Optional<SyncPlan> targetNamespaceTerminating() {
    return isCopyMissing() && seen.targetNamespace() == CopyNamespace.TERMINATING
        ? Optional.of(
            new Refuse(
                Why.NAMESPACE_TERMINATING,
                ("Namespace \"%s\" of the provider's cluster is being deleted; the copy is made"
                        + " there once that is over.")
                    .formatted(place().namespace())))
        : Optional.empty();
  }

  private Optional<SyncPlan> copyMissing() {
    if (!isCopyMissing()) {
      return Optional.empty();
    }
    // Rules may read the name that the copy will have.
    Map<String, Object> content = content(newCopy(Map.of()));
    return act(new SyncAction.CreateCopy(marked(newCopy(content)), content, source().uid()));
  }

  private Optional<SyncPlan> nameCollision() {
    return seen.copy() instanceof NameTaken(var stranger, var _) && !mayAdopt(stranger)
        ? Optional.of(new Refuse(Why.NAME_COLLISION, collision(stranger)))
        : Optional.empty();
  }

  private Optional<SyncPlan> nameTerminating() {
    return when(
        seen.copy() instanceof NameTaken(var stranger, var _) && stranger.deleting(),
        new Await(Why.NAME_TERMINATING));
  }

  private Optional<SyncPlan> nameAdoptable() {
    if (!(seen.copy() instanceof NameTaken(var stranger, var lastKnown))) {
      return Optional.empty();
    }
    KubeObject marked = marked(stranger);
    KubeObject adopted =
        SourceMarks.isMarked(stranger)
            ? marked
            : marked.with("true", "metadata", "annotations", SyncMarks.ADOPTED);
    return act(
        new SyncAction.AdoptCopy(
            stranger,
            SyncedContent.patch(stranger, adopted),
            // For a copy that lost its marks the last state is known, and changes since are due.
            lastKnown
                .filter(_ -> marks.fitRemainingMarksOf(stranger))
                .orElseGet(() -> content(stranger))));
  }

  /** Another agent wrote the copy: present differences stay, later changes are synced. */
  private Optional<SyncPlan> stateNotKept() {
    KubeObject copy = found().object();
    return found().past() instanceof LastSynced.NotKept
        ? act(
            new SyncAction.AdoptCopy(copy, SyncedContent.patch(copy, marked(copy)), content(copy)))
        : Optional.empty();
  }

  private Optional<SyncPlan> contentDiffers() {
    KubeObject copy = found().object();
    Map<String, Object> content = content(copy);
    Optional<Map<String, Object>> known =
        found().past() instanceof LastSynced.Known(var last) ? Optional.of(last) : Optional.empty();
    KubeObject merged =
        known
            .map(last -> SyncedContent.threeWay(copy, last, content))
            .orElseGet(() -> SyncedContent.overlay(copy, content));
    if (rules.policy().drift() == Drift.REVERT) {
      merged = SyncedContent.enforced(merged, content);
    }
    Map<String, Object> patch = SyncedContent.patch(copy, marked(merged));
    return !patch.isEmpty() || known.filter(last -> ValueDigests.match(last, content)).isEmpty()
        ? act(new SyncAction.PatchCopy(copy, patch, content))
        : Optional.empty();
  }

  private Optional<SyncPlan> statusDiffers() {
    if (rules.status() == StatusSubresource.ABSENT) {
      return Optional.empty();
    }
    var counterparts = Counterparts.fromService(found().object(), seen.source());
    Object status = rules.mutations().status().apply(counterparts).at("status");
    Object before = source().at("status");
    if (Objects.equals(status, before) || isEmpty(status) && isEmpty(before)) {
      return Optional.empty();
    }
    return act(
        new SyncAction.PatchSourceStatus(
            status == null ? source().without("status") : source().with(status, "status")));
  }

  private Optional<SyncPlan> driftReported() {
    if (rules.policy().drift() != Drift.REPORT) {
      return Optional.empty();
    }
    KubeObject copy = found().object();
    List<String> drift = SyncedContent.drift(copy, content(copy));
    return when(!drift.isEmpty(), new Drifted(copy, drift));
  }

  private static Optional<SyncPlan> when(boolean applies, SyncPlan plan) {
    return applies ? Optional.of(plan) : Optional.empty();
  }

  private static Optional<SyncPlan> act(SyncAction action) {
    return Optional.of(new Act(action));
  }

  private KubeObject source() {
    return seen.source().orElseThrow();
  }

  /** Only after the checks of a missing copy and of a taken name. */
  private Found found() {
    return (Found) seen.copy();
  }

  /** Only after the check of an unusable name. */
  private CopyName.At place() {
    return (CopyName.At) seen.place().orElseThrow();
  }

  private boolean isCopyMissing() {
    return seen.copy() instanceof Missing;
  }

  /** Only after the check of the filter: the copy is to be removed, or handed over. */
  private boolean isEnding() {
    return source().deleting() || selection == Selection.OUT;
  }

  private enum Selection {
    IN,
    OUT,
    /** The namespace's labels cannot be seen. */
    UNKNOWN
  }

  private Selection selection(KubeObject source) {
    if (!rules.resourceFilter().matches(source.labels())) {
      return Selection.OUT;
    }
    return switch (seen.sourceNamespace()) {
      case SourceNamespace.NotAsked() -> Selection.IN;
      case SourceNamespace.Unseen(), SourceNamespace.Hidden _ -> Selection.UNKNOWN;
      case SourceNamespace.Labelled(var labels) ->
          rules.namespaceFilter().matches(labels) ? Selection.IN : Selection.OUT;
    };
  }

  private KubeObject newCopy(Map<String, Object> content) {
    return SyncedContent.asObject(
        content,
        rules.copy().resource().apiVersion(),
        rules.copy().kind(),
        place().namespace(),
        place().name());
  }

  /** What of the source goes into the copy; throws {@link MutationFailure}. */
  private Map<String, Object> content(KubeObject copy) {
    return SyncedContent.of(
        rules.mutations().spec().apply(Counterparts.fromKcp(source(), Optional.of(copy))));
  }

  private boolean mayAdopt(KubeObject stranger) {
    return switch (rules.adoption()) {
      case NEVER -> false;
      case MARKED -> marks.fitRemainingMarksOf(stranger);
      case UNCLAIMED -> !SourceMarks.isMarked(stranger) || marks.fitRemainingMarksOf(stranger);
      case ALWAYS -> true;
    };
  }

  private String collision(KubeObject stranger) {
    String own = rules.agentName();
    Optional<String> other = SourceMarks.agentOf(stranger).filter(agent -> !agent.equals(own));
    return ("The name \"%s\" that this object would get at the provider is taken by %s. Nothing was"
            + " changed; give this object another name, or ask the provider%s.")
        .formatted(
            new CopyName.At(stranger.namespace(), stranger.name()),
            other
                .map(agent -> "an object of sync agent \"" + agent + "\"")
                .orElse("another object"),
            other
                .map(agent ->
                    (", who has to give the two agents' copies different names, or, if agent \"%s\""
                            + " was called \"%s\" before, to give the agent its name back")
                        .formatted(own, agent))
                .orElse(""));
  }

  private KubeObject marked(KubeObject copy) {
    return SyncedContent.marked(copy, marks.labels(), marks.annotations());
  }

  private static KubeObject unmarked(KubeObject copy) {
    KubeObject result = copy;
    for (String map : List.of("labels", "annotations")) {
      for (String key : copy.map("metadata", map).keySet()) {
        if (key.startsWith(SyncMarks.GROUP + "/")) {
          result = result.without("metadata", map, key);
        }
      }
    }
    return result;
  }

  private static boolean isEmpty(@Nullable Object status) {
    return status == null || Map.of().equals(status);
  }
}
