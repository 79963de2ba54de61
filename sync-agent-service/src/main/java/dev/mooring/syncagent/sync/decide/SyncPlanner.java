package dev.mooring.syncagent.sync.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.LastSynced;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.published.SyncPolicy.Drift;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Decides the next step for one consumer's object and its copy:
 *
 * <ol>
 *   <li>a source that is paused: leave everything;
 *   <li>a source that is going: delete the copy (release one that was adopted), wait until it is
 *       gone, release the source, and with it the namespace if that is to go;
 *   <li>a source that is out of the filter: the same if its copy is to go then, else leave
 *       everything;
 *   <li>hold the source;
 *   <li>no copy: make the namespace, then the copy; take on what has its name, if the rules allow;
 *   <li>bring the copy's content in line;
 *   <li>bring the copy's status up.
 * </ol>
 *
 * <p>Laws: the source is never released while a copy is visible; a copy is deleted only if its
 * source is going, or is known to have left a filter whose owner wants that; equal snapshots give
 * equal plans; every action carries its precondition.
 */
public final class SyncPlanner {
  private final SyncSnapshot seen;
  private final SyncRules rules;
  private final SourceMarks marks;

  private SyncPlanner(SyncSnapshot seen) {
    this.seen = seen;
    this.rules = seen.rules();
    this.marks = new SourceMarks(seen.key(), rules.agentName(), seen.path());
  }

  public static SyncPlan plan(SyncSnapshot seen) {
    if (seen.source().isEmpty()) {
      // Its finalizer was taken off by force, or its workspace is out of sight. A copy stays:
      // absence alone never destroys anything.
      return new InSync();
    }
    return new SyncPlanner(seen).planFor(seen.source().get());
  }

  /**
   * Whether related objects may be kept in step whatever becomes of the plan: they follow from what
   * the primary is, which is on both sides and stays there, and not from whether its own last write
   * is accepted. Credentials must not outlive their origin because of a status that nobody takes.
   */
  public static boolean allowsRelated(SyncSnapshot seen, SyncPlan plan) {
    boolean stays = seen.source().filter(source -> !source.deleting()).isPresent();
    return stays
        && seen.copy() instanceof Found(var copy, var _)
        && !copy.deleting()
        && switch (plan) {
          case InSync(), Drifted _ -> true;
          case Refuse(var why, var _) -> why == Why.MUTATION_FAILED;
          case Act(var action) ->
              switch (action) {
                case SyncAction.PatchCopy _,
                    SyncAction.AdoptCopy _,
                    SyncAction.PatchSourceStatus _ ->
                    true;
                case SyncAction.AddFinalizer _,
                    SyncAction.CreateNamespace _,
                    SyncAction.CreateCopy _,
                    SyncAction.DeleteCopy _,
                    SyncAction.ReleaseCopy _,
                    SyncAction.RemoveFinalizer _ ->
                    false;
              };
          case Skip _, Await _ -> false;
        };
  }

  private SyncPlan planFor(KubeObject source) {
    if (rules.synchronization() == Synchronization.PAUSED
        || source.annotation(SyncMarks.PAUSED).filter(SyncPlanner::pauses).isPresent()) {
      return new Skip(Why.PAUSED);
    }
    if (source.deleting()) {
      return cleanUp(source);
    }
    switch (selection(source)) {
      case OUT -> {
        return leftFilter(source);
      }
      case UNKNOWN -> {
        return seen.sourceNamespace() instanceof SourceNamespace.Hidden(var why)
            ? new Refuse(Why.CLAIM_REJECTED, why)
            : new Await(Why.NAMESPACE_UNSEEN);
      }
      case IN -> {}
    }
    if (!source.hasFinalizer(SyncMarks.FINALIZER)) {
      return new Act(
          new SyncAction.AddFinalizer(source, with(source.finalizers(), SyncMarks.FINALIZER)));
    }
    try {
      return switch (seen.copy()) {
        case Missing() -> makeCopy(source);
        case NameTaken(var stranger, var lastKnown) -> adopt(source, stranger, lastKnown);
        case Ambiguous(var names) -> severalCopies(names);
        case Found(var copy, var past) -> keepInStep(source, copy, past);
      };
    } catch (MutationFailure e) {
      return new Refuse(Why.MUTATION_FAILED, "This object cannot be passed on: " + e.getMessage());
    }
  }

  /** "false" lets syncing go on; every other value pauses it. */
  private static boolean pauses(String value) {
    return !value.equalsIgnoreCase("false");
  }

  private SyncPlan cleanUp(KubeObject source) {
    return switch (seen.copy()) {
      case Found(var copy, var _) when copy.deleting() -> new Await(Why.COPY_TERMINATING);
      case Found(var copy, var _) when isAdopted(copy) ->
          new Act(new SyncAction.ReleaseCopy(copy, SyncedContent.patch(copy, unmarked(copy))));
      case Found(var copy, var _) -> new Act(new SyncAction.DeleteCopy(copy));
      case Ambiguous(var names) -> severalCopies(names);
      case Missing(), NameTaken _ ->
          source.hasFinalizer(SyncMarks.FINALIZER) ? release(source) : new InSync();
    };
  }

  private SyncPlan release(KubeObject source) {
    return new Act(
        new SyncAction.RemoveFinalizer(
            source, without(source.finalizers(), SyncMarks.FINALIZER), seen.emptied()));
  }

  private SyncPlan leftFilter(KubeObject source) {
    return switch (rules.policy().onLeave()) {
      case KEEP -> new Skip(Why.OUT_OF_FILTER);
      case DELETE ->
          source.hasFinalizer(SyncMarks.FINALIZER) ? cleanUp(source) : new Skip(Why.OUT_OF_FILTER);
    };
  }

  private boolean isAdopted(KubeObject copy) {
    return copy.annotation(SyncMarks.ADOPTED).isPresent() && rules.adoption() != Adoption.ALWAYS;
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

  private SyncPlan makeCopy(KubeObject source) {
    return switch (seen.place().orElseThrow()) {
      case CopyName.Nowhere(var message) -> new Refuse(Why.NAMING_FAILED, message);
      case CopyName.At at ->
          switch (seen.targetNamespace()) {
            case ABSENT -> new Act(new SyncAction.CreateNamespace(at.namespace()));
            case TERMINATING -> new Await(Why.NAMESPACE_TERMINATING);
            case PRESENT, NOT_NEEDED -> {
              // Rules may read the name that the copy will have.
              Map<String, Object> content = content(source, copyOf(Map.of(), at));
              yield new Act(
                  new SyncAction.CreateCopy(
                      SyncedContent.marked(
                          copyOf(content, at), marks.labels(), marks.annotations()),
                      content,
                      source.uid()));
            }
          };
    };
  }

  private KubeObject copyOf(Map<String, Object> content, CopyName.At at) {
    return SyncedContent.asObject(
        content,
        rules.copy().resource().apiVersion(),
        rules.copy().kind(),
        at.namespace(),
        at.name());
  }

  /** What of the source goes into the copy; throws {@link MutationFailure}. */
  private Map<String, Object> content(KubeObject source, KubeObject copy) {
    return SyncedContent.of(
        rules.mutations().spec().apply(Counterparts.fromKcp(source, Optional.of(copy))));
  }

  private SyncPlan adopt(
      KubeObject source, KubeObject stranger, Optional<Map<String, Object>> lastKnown) {
    if (!AdoptionRule.allows(rules.adoption(), marks, stranger)) {
      return new Refuse(Why.NAME_COLLISION, collision(stranger));
    }
    if (stranger.deleting()) {
      return new Await(Why.NAME_TERMINATING);
    }
    Map<String, String> annotations = new LinkedHashMap<>(marks.annotations());
    if (!SourceMarks.isMarked(stranger)) {
      annotations.put(SyncMarks.ADOPTED, "true");
    }
    KubeObject marked = SyncedContent.marked(stranger, marks.labels(), annotations);
    return new Act(
        new SyncAction.AdoptCopy(
            stranger,
            SyncedContent.patch(stranger, marked),
            // Of a copy that lost its marks the past is known, and changes since then are due.
            lastKnown
                .filter(_ -> marks.fitRemainingMarksOf(stranger))
                .orElseGet(() -> content(source, stranger))));
  }

  private String collision(KubeObject stranger) {
    String name =
        "The name \""
            + new CopyName.At(stranger.namespace(), stranger.name())
            + "\" that this object would get at the provider is taken by ";
    return SourceMarks.agentOf(stranger)
        .filter(agent -> !agent.equals(rules.agentName()))
        .map(agent ->
            name
                + "an object of sync agent \""
                + agent
                + "\". Nothing was changed; give this object another name, or ask the provider,"
                + " who has to give the two agents' copies different names, or, if agent \""
                + rules.agentName()
                + "\" was called \""
                + agent
                + "\" before, to give the agent its name back.")
        .orElse(
            name
                + "another object. Nothing was changed; give this object another name, or ask the"
                + " provider.");
  }

  private SyncPlan keepInStep(KubeObject source, KubeObject copy, LastSynced past) {
    if (copy.deleting()) {
      return new Await(Why.COPY_TERMINATING);
    }
    Map<String, Object> content = content(source, copy);
    return switch (past) {
      case LastSynced.Known(var known) ->
          keepInStep(source, copy, past, SyncedContent.threeWay(copy, known, content), content);
      case LastSynced.Damaged() ->
          keepInStep(source, copy, past, SyncedContent.overlay(copy, content), content);
      // As another agent left it: what differs from now on is the source's, what differs by now is
      // not overwritten.
      case LastSynced.NotKept() ->
          new Act(new SyncAction.AdoptCopy(copy, SyncedContent.patch(copy, marked(copy)), content));
    };
  }

  private SyncPlan keepInStep(
      KubeObject source,
      KubeObject copy,
      LastSynced past,
      KubeObject withSource,
      Map<String, Object> content) {
    KubeObject merged = withSource;
    if (rules.policy().drift() == Drift.REVERT) {
      merged = SyncedContent.enforced(merged, content);
    }
    Map<String, Object> patch = SyncedContent.patch(copy, marked(merged));
    if (!patch.isEmpty() || !past.equals(new LastSynced.Known(content))) {
      return new Act(new SyncAction.PatchCopy(copy, patch, content));
    }
    return bringStatusUp(source, copy, content);
  }

  private KubeObject marked(KubeObject copy) {
    return SyncedContent.marked(copy, marks.labels(), marks.annotations());
  }

  private SyncPlan bringStatusUp(KubeObject source, KubeObject copy, Map<String, Object> content) {
    if (rules.status() == StatusSubresource.ABSENT) {
      return inSync(copy, content);
    }
    Object status =
        rules
            .mutations()
            .status()
            .apply(Counterparts.fromService(copy, Optional.of(source)))
            .at("status");
    Object before = source.at("status");
    if (Objects.equals(status, before) || isEmpty(status) && isEmpty(before)) {
      return inSync(copy, content);
    }
    return new Act(
        new SyncAction.PatchSourceStatus(
            status == null ? source.without("status") : source.with(status, "status")));
  }

  private static boolean isEmpty(Object status) {
    return status == null || Map.of().equals(status);
  }

  private SyncPlan inSync(KubeObject copy, Map<String, Object> content) {
    if (rules.policy().drift() != Drift.REPORT) {
      return new InSync();
    }
    List<String> drift = SyncedContent.drift(copy, content);
    return drift.isEmpty() ? new InSync() : new Drifted(copy, drift);
  }

  private static SyncPlan severalCopies(List<String> names) {
    return new Refuse(
        Why.SEVERAL_COPIES,
        "Several objects at the provider are marked as this one's copy: "
            + names
            + ". Nothing is changed until the provider has removed all but one.");
  }

  private static KubeObject unmarked(KubeObject copy) {
    KubeObject result = copy;
    for (String key : copy.labels().keySet()) {
      if (key.startsWith(SyncMarks.GROUP + "/")) {
        result = result.without("metadata", "labels", key);
      }
    }
    for (String key : copy.annotations().keySet()) {
      if (key.startsWith(SyncMarks.GROUP + "/")) {
        result = result.without("metadata", "annotations", key);
      }
    }
    return result;
  }

  private static List<String> with(List<String> finalizers, String added) {
    var all = new ArrayList<>(finalizers);
    all.add(added);
    return all;
  }

  private static List<String> without(List<String> finalizers, String removed) {
    return finalizers.stream().filter(finalizer -> !finalizer.equals(removed)).toList();
  }
}
