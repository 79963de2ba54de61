package dev.mooring.syncagent.related.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.content.RewriteBackoff;
import dev.mooring.syncagent.content.StateTooLarge;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.RelatedRecordStore;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.resolve.EntryReadiness;
import dev.mooring.syncagent.related.resolve.Primary;
import dev.mooring.syncagent.related.resolve.ReadSetIndex;
import dev.mooring.syncagent.related.resolve.decide.ReadSet;
import dev.mooring.syncagent.related.resolve.decide.Resolution;
import dev.mooring.syncagent.related.share.PermissionClaims;
import dev.mooring.syncagent.related.sync.decide.Progress;
import dev.mooring.syncagent.related.sync.decide.RelatedAction;
import dev.mooring.syncagent.related.sync.decide.RelatedFacts;
import dev.mooring.syncagent.related.sync.decide.RelatedPlanner;
import dev.mooring.syncagent.related.sync.decide.RelatedPlans;
import dev.mooring.syncagent.related.sync.decide.RelatedSet;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One pass over the related objects of one primary, up to the first write. For each entry: gather,
 * plan, attempt the actions in order. An action that a server refuses blocks no other, and is
 * attempted after all others in the next pass. One thread.
 */
final class RelatedPass {
  /** Objects that change faster than this requeue their primary anyway. */
  private static final int GATHER_MAX = 3;

  /** Requests that may be refused in one pass. */
  private static final int REFUSED_MAX = 10;

  private final Tools tools;
  private final Primary primary;
  private final ObjectKey key;
  private final Optional<URI> endpoint;
  private final KubeClient workspace;
  private final TreeMap<String, String> pending = new TreeMap<>();
  private final UnresolvedCopies unresolved = new UnresolvedCopies();
  private final List<Attempt> refusedBefore = new ArrayList<>();
  private Function<RelatedSet, RelatedPlans> ending = RelatedPlanner::cleanUp;
  private ReadSet readSet = ReadSet.EMPTY;
  private Progress result;
  private Progress blocked = new Progress.Settled();
  private Optional<KubeFailure> failure = Optional.empty();
  private int refused;

  /** What all passes of one published type work with. */
  record Tools(
      RelatedRules rules,
      RelatedRecordStore records,
      EntryReadiness readiness,
      PermissionClaims claims,
      RelatedReader reader,
      RelatedExecutor executor,
      ReadSetIndex index,
      RefusedActions refused,
      RewriteBackoff<ObjectRef> rewrites) {}

  /**
   * @param precondition empty if the action may be executed
   */
  private record Attempt(
      RelatedAction action, Function<RelatedAction, Optional<Progress>> precondition) {}

  /**
   * @param endpoint by which the primary is seen
   * @param workspace of the primary
   * @param before what is to be reported of the primary anyway
   */
  RelatedPass(
      Tools tools, Primary primary, Optional<URI> endpoint, KubeClient workspace, Progress before) {
    this.tools = tools;
    this.primary = primary;
    this.key = primary.key();
    this.endpoint = endpoint;
    this.workspace = workspace;
    this.result = before;
  }

  /** By entry, why the primary does not name its objects yet. */
  Map<String, String> pending() {
    return pending;
  }

  /** While the primary exists; empty if nothing was written. */
  Optional<Progress> sync() {
    Optional<Progress> wrote = first(tools.rules().entries(), this::sync);
    if (wrote.isPresent()) {
      return wrote;
    }
    if (!tools.records().isSynced()) {
      report(new Progress.NotSynced(""));
      return Optional.empty();
    }
    return first(tools.reader().former(key, primary.inKcp()), this::syncFormer);
  }

  /** While the primary is being deleted, before its copy is. */
  Progress keep() {
    ending = RelatedPlanner::keep;
    return cleanUp();
  }

  /** Once the primary's copy is gone; settled once the primary need not wait any more. */
  Progress cleanUp() {
    if (!tools.records().isSynced()) {
      return new Progress.NotSynced("");
    }
    return first(tools.rules().entries(), this::cleanUp)
        .or(() -> first(tools.reader().former(key, primary.inKcp()), this::cleanUpFormer))
        .orElseGet(this::end);
  }

  /** After the deletion of a primary that did not wait. */
  Progress cleanUpOrphaned() {
    return first(tools.reader().all(key), this::cleanUpOrphaned).orElseGet(this::end);
  }

  private static Optional<Progress> first(
      List<RelatedResource> entries, Function<RelatedResource, Optional<Progress>> step) {
    for (RelatedResource entry : entries) {
      Optional<Progress> wrote = step.apply(entry);
      if (wrote.isPresent()) {
        return wrote;
      }
    }
    return Optional.empty();
  }

  private Optional<Progress> sync(RelatedResource entry) {
    Visibility visibility = visibility(entry);
    Optional<RelatedFacts> facts =
        isReady(entry, visibility) ? gather(entry, visibility) : Optional.empty();
    if (facts.isEmpty()) {
      unresolved.all(entry);
      return Optional.empty();
    }
    RelatedSet copies = facts.get().select();
    unresolved.add(entry, facts.get().resolution(), copies);
    report(entry, facts.get().resolution());
    return attempt(visibility, RelatedPlanner.sync(copies));
  }

  /** Every copy of a removed entry is removed, but for those that other entries name. */
  private Optional<Progress> syncFormer(RelatedResource former) {
    Visibility visibility = visibility(former);
    if (!isReady(former, visibility)) {
      return Optional.empty();
    }
    RelatedSet copies = gatherRecorded(former, visibility).select().without(unresolved::includes);
    return attempt(visibility, RelatedPlanner.sync(copies));
  }

  private Optional<Progress> cleanUp(RelatedResource entry) {
    Visibility visibility = visibility(entry);
    if (tools.reader().records(entry, key).isEmpty()
        && (Progress.hidden(visibility.all()).isPresent() || isTypeMissing(entry))) {
      return Optional.empty(); // no object of it can exist
    }
    return isReady(entry, visibility)
        ? gather(entry, visibility).flatMap(this::cleanUp)
        : Optional.empty();
  }

  private Optional<Progress> cleanUpFormer(RelatedResource former) {
    Visibility visibility = visibility(former);
    return isReady(former, visibility)
        ? cleanUp(gatherRecorded(former, visibility))
        : Optional.empty();
  }

  private Optional<Progress> cleanUpOrphaned(RelatedResource entry) {
    Visibility visibility = visibility(entry);
    return isReady(entry, visibility, tools.readiness().isSyncedAsRecorded(entry, key))
        ? cleanUp(gatherRecorded(entry, visibility))
        : Optional.empty();
  }

  private Optional<Progress> cleanUp(RelatedFacts facts) {
    return attempt(ending.apply(facts.select()), _ -> Optional.empty());
  }

  /** Throws {@link KubeFailure} if the virtual workspace does not say. */
  private boolean isTypeMissing(RelatedResource entry) {
    return tools.readiness().isNotServed(Side.SERVICE, entry)
        || tools.readiness().isNotServed(Side.KCP, entry)
            && PermissionClaims.isUnserved(workspace, entry.types().inKcp());
  }

  private Visibility visibility(RelatedResource entry) {
    return Visibility.of(entry, tools.reader().records(entry, key), key.cluster(), tools.claims());
  }

  /** Whether decisions about the entry can be made; reports why not. */
  private boolean isReady(RelatedResource entry, Visibility visibility) {
    return isReady(entry, visibility, tools.readiness().isSynced(entry, key, endpoint));
  }

  private boolean isReady(RelatedResource entry, Visibility visibility, boolean isSynced) {
    Optional<Progress> hidden = Progress.hidden(visibility.all());
    if (hidden.isPresent()) {
      report(hidden.get());
      return false;
    }
    if (!isSynced) {
      Optional<KubeFailure> why = tools.readiness().failure(entry, key);
      report(new Progress.NotSynced(why.map(KubeFailure::getMessage).orElse("")));
    }
    return isSynced;
  }

  /** Empty if that is not possible, which is reported. */
  private Optional<RelatedFacts> gather(RelatedResource entry, Visibility visibility) {
    try {
      return Optional.of(
          indexed(() -> tools.reader().gather(entry, primary, visibility, workspace)));
    } catch (KubeFailure e) {
      if (!RelatedExecutor.isRefusal(e)) {
        throw e;
      }
      if (e.kind() == KubeFailure.Kind.NOT_SERVED) {
        report(new Progress.NotSynced(e.getMessage()));
      } else {
        failed(e);
      }
      return Optional.empty();
    }
  }

  private RelatedFacts gatherRecorded(RelatedResource entry, Visibility visibility) {
    return indexed(() -> tools.reader().gatherRecorded(entry, primary, visibility));
  }

  /**
   * An object has to be in the index before it is read, so that no change of it is missed, and only
   * reading says which objects are read: so all is read again if the index did not have them.
   */
  private RelatedFacts indexed(Supplier<RelatedFacts> gathering) {
    RelatedFacts facts = gathering.get();
    for (int i = 0; i < GATHER_MAX; i++) {
      if (!tools.index().extend(key, readSet.and(facts.readSet()))) {
        break;
      }
      facts = gathering.get();
    }
    readSet = readSet.and(facts.readSet());
    return facts;
  }

  private Optional<Progress> attempt(Visibility visibility, RelatedPlans plans) {
    return attempt(
        plans,
        action ->
            visibility
                .violatedBy(action, tools.claims(), workspace)
                .or(() -> tools.executor().precededBy(action, primary.inKcp(), workspace)));
  }

  /** The first action that is executed, or stale; those refused before wait for the end. */
  private Optional<Progress> attempt(
      RelatedPlans plans, Function<RelatedAction, Optional<Progress>> precondition) {
    report(plans.otherwise());
    for (RelatedAction action : plans.actions()) {
      var attempt = new Attempt(action, precondition);
      if (tools.refused().lastTurn(key, action) > 0) {
        refusedBefore.add(attempt);
      } else {
        Optional<Progress> progress = attempt(attempt);
        if (progress.isPresent()) {
          return progress;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Progress> attempt(Attempt attempt) {
    RelatedAction action = attempt.action();
    if (refused == REFUSED_MAX) {
      return Optional.empty();
    }
    try {
      Optional<Progress> violated = attempt.precondition().apply(action);
      if (violated.isPresent()) {
        blocked = blocked.orWorse(violated.get());
        return Optional.empty();
      }
      Optional<Rewrite> rewrite = rewrite(action);
      Optional<Progress> undone = rewrite.flatMap(this::undone);
      if (undone.isPresent()) {
        blocked = blocked.orWorse(undone.get());
        return Optional.empty();
      }
      return Optional.of(
          switch (tools.executor().execute(primary.inKcp(), action, workspace)) {
            case DONE -> {
              tools.refused().wentThrough(key, action);
              rewrite.ifPresent(done -> tools.rewrites().wrote(done.copy(), done.content()));
              yield new Progress.Wrote();
            }
            case STALE -> {
              tools.refused().refused(key, action);
              yield new Progress.Stale();
            }
          });
    } catch (KubeFailure e) {
      tools.refused().refused(key, action);
      if (!RelatedExecutor.isRefusal(e)) {
        throw e;
      }
      refused++;
      failed(e);
    } catch (StateTooLarge e) {
      tools.refused().refused(key, action);
      blocked =
          blocked.orWorse(new Progress.Refused("StateTooLarge", String.valueOf(e.getMessage())));
    }
    return Optional.empty();
  }

  private record Rewrite(ObjectRef copy, Object content) {}

  /** What the action writes to a copy; empty if it writes none. */
  private static Optional<Rewrite> rewrite(RelatedAction action) {
    return switch (action) {
      case RelatedAction.CreateCopy(var at, var desired) ->
          Optional.of(new Rewrite(at, SyncedContent.of(desired)));
      case RelatedAction.PatchCopy(var at, var _, var patch, var recorded) when !patch.isEmpty() ->
          Optional.of(new Rewrite(at, recorded.lastKnown()));
      default -> Optional.empty();
    };
  }

  private Optional<Progress> undone(Rewrite write) {
    Duration delay = tools.rewrites().delay(write.copy(), write.content());
    return delay.isZero()
        ? Optional.empty()
        : Optional.of(
            new Progress.Undone(
                ("%s \"%s\", a copy of a related object, is removed or changed whenever it is"
                        + " written, so that it is written ever more rarely. Find the controller or"
                        + " webhook that does that, or do not relate the object.")
                    .formatted(write.copy().type().qualified(), write.copy().namespacedName()),
                delay));
  }

  /**
   * Attempts what was refused before, then says how the pass ended.
   *
   * @throws KubeFailure the first refusal of this pass, if nothing was written
   */
  Progress end() {
    refusedBefore.sort(
        Comparator.comparing(attempt -> tools.refused().lastTurn(key, attempt.action())));
    for (Attempt attempt : refusedBefore) {
      Optional<Progress> progress = attempt(attempt);
      if (progress.isPresent()) {
        return progress.get();
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    if (refusedBefore.isEmpty() && blocked instanceof Progress.Settled) {
      tools.refused().forget(key);
    }
    return result.orWorse(blocked);
  }

  private void failed(KubeFailure e) {
    if (failure.isEmpty()) {
      failure = Optional.of(e);
    }
  }

  private void report(Progress progress) {
    result = result.orWorse(progress);
  }

  private void report(RelatedResource entry, Resolution resolution) {
    if (resolution.pairs().isEmpty() && tools.rules().misnamed().contains(entry.identifier())) {
      report(
          new Progress.Warned(
              "UnknownPath",
              ("Related object \"%s\" is not found: the service provider's PublishedResource looks"
                      + " for it in a field that no object of this type can have. The provider"
                      + " has to correct that.")
                  .formatted(entry.identifier())));
    }
    switch (resolution.outcome()) {
      case Resolution.Outcome.Complete() -> {}
      case Resolution.Outcome.Pending(var why) -> pending.put(entry.identifier(), why);
      case Resolution.Outcome.Unclear(var reason, var why) ->
          report(
              new Progress.Refused(
                  reason, "Related object \"" + entry.identifier() + "\": " + why + "."));
    }
  }
}
