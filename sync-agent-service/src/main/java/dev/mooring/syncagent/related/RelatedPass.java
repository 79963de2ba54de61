package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.content.StateTooLarge;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.Progress;
import dev.mooring.syncagent.related.decide.ReadSet;
import dev.mooring.syncagent.related.decide.RelatedAction;
import dev.mooring.syncagent.related.decide.RelatedPlan;
import dev.mooring.syncagent.related.decide.RelatedPlanner;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.RelatedSet;
import dev.mooring.syncagent.related.decide.Resolution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One pass over the related objects of one primary, entry by entry: gathers, plans, and makes the
 * first of the planned writes that can be made. After a write nothing more is read. An action that
 * a server refuses blocks no other, and is attempted after all others in the next pass. For one
 * thread.
 */
final class RelatedPass {
  /** Objects that change faster than this requeue their primary anyway. */
  private static final int GATHER_MAX = 3;

  /** Requests that may be refused in one pass. */
  private static final int REFUSED_MAX = 10;

  private final RelatedSync sync;
  private final RelatedReader reader;
  private final RelatedExecutor executor;
  private final ObjectKey key;
  private final KubeClient workspace;
  private final TreeMap<String, String> pending = new TreeMap<>();

  /**
   * Copies that entries may name and have not recorded: a copy that was created for an entry that
   * was removed, or renamed, stays until they have.
   */
  private final Set<ObjectRef> unrecorded = new HashSet<>();

  /** Types of copies of entries that could not be resolved: all of these may be named. */
  private final Set<CopyType> unresolved = new HashSet<>();

  private ReadSet readSet = ReadSet.EMPTY;

  /** What is to be reported where nothing is written. */
  private Progress progress = new Progress.Settled();

  /** How the one write ended; empty until then. */
  private Optional<Progress> written = Optional.empty();

  /** The first request that was refused. */
  private Optional<KubeFailure> failure = Optional.empty();

  private final List<Planned> refusedBefore = new ArrayList<>();
  private boolean isAnyDue;

  /** Whether servers are asked before an action if it may still be executed. */
  private boolean isChecked;

  private int refusals;

  private record CopyType(Side side, String type) {}

  /** A write that is due, was refused in an earlier pass, and was decided by this visibility. */
  private record Planned(RelatedAction action, Visibility visibility) {}

  RelatedPass(RelatedSync sync, Primary primary, KubeClient workspace) {
    this.sync = sync;
    this.reader = new RelatedReader(sync, primary, workspace);
    this.executor = new RelatedExecutor(sync, primary.inKcp(), workspace);
    this.key = primary.key();
    this.workspace = workspace;
  }

  /**
   * While the primary exists.
   *
   * @param before what is to be reported of the primary anyway
   * @return settled if nothing is due and nothing is to be reported
   * @throws KubeFailure the first refusal, if nothing was written
   */
  Progress sync(Progress before) {
    isChecked = true;
    report(before);
    forEach(sync.rules.entries(), this::syncEntry);
    if (written.isEmpty()) {
      sync.putPending(key, pending);
    }
    // Every copy of a removed entry is removed, but for those that other entries name.
    forEachFormer(seen -> RelatedPlanner.sync(seen.without(this::mayBeNamed)));
    return finish();
  }

  /** While the primary is being deleted, before its copy is. As {@link #sync} ends. */
  Progress keep() {
    return end(RelatedPlanner::keep);
  }

  /** Once the primary's copy is gone. As {@link #sync} ends. */
  Progress cleanUp() {
    return end(RelatedPlanner::cleanUp);
  }

  /** After the deletion of a primary that did not wait. As {@link #sync} ends. */
  Progress cleanUpOrphaned() {
    forEach(
        reader.all(),
        entry -> attemptRecorded(entry, reader.isSyncedAsRecorded(entry), RelatedPlanner::cleanUp));
    return finish();
  }

  private Progress end(Function<RelatedSet, List<RelatedPlan>> planner) {
    if (sync.shared.records.isSynced()) {
      forEach(sync.rules.entries(), entry -> endEntry(entry, planner));
    }
    forEachFormer(planner);
    return finish();
  }

  /** Those that follow a write are not read any more. */
  private void forEach(List<RelatedResource> entries, Consumer<RelatedResource> each) {
    for (RelatedResource entry : entries) {
      if (written.isEmpty()) {
        each.accept(entry);
      }
    }
  }

  /** For each entry that was removed. */
  private void forEachFormer(Function<RelatedSet, List<RelatedPlan>> planner) {
    if (!sync.shared.records.isSynced()) {
      report(new Progress.NotSynced(""));
    } else if (written.isEmpty()) {
      forEach(reader.former(), former -> attemptRecorded(former, reader.isSynced(former), planner));
    }
  }

  private void attemptRecorded(
      RelatedResource entry, boolean isSynced, Function<RelatedSet, List<RelatedPlan>> planner) {
    Visibility visibility = visibility(entry);
    if (isReady(visibility, isSynced)) {
      RelatedSet seen = indexed(() -> reader.readRecorded(entry, visibility));
      attemptPlans(planner.apply(seen), visibility);
    }
  }

  private void syncEntry(RelatedResource entry) {
    Visibility visibility = visibility(entry);
    Optional<RelatedSet> seen =
        isReady(visibility, reader.isSynced(entry)) ? gather(visibility) : Optional.empty();
    if (seen.isEmpty()) {
      unresolved(entry);
      return;
    }
    RelatedSet copies = seen.get();
    Resolution resolution = copies.resolution();
    if (resolution.outcome() instanceof Resolution.Outcome.Unclear) {
      unresolved(entry);
    }
    copies.present().stream()
        .filter(one -> one.record().filter(RelatedRecord::isDone).isEmpty())
        .forEach(one -> unrecorded.add(one.copy().ref()));
    report(entry, resolution);
    attemptPlans(RelatedPlanner.sync(copies), visibility);
  }

  private boolean mayBeNamed(ObjectRef copy) {
    return unrecorded.contains(copy)
        || unresolved.contains(new CopyType(copy.side(), copy.type().qualified()));
  }

  private void unresolved(RelatedResource entry) {
    unresolved.add(new CopyType(entry.origin().other(), entry.copyType().qualified()));
  }

  private void endEntry(RelatedResource entry, Function<RelatedSet, List<RelatedPlan>> planner) {
    Visibility visibility = visibility(entry);
    if (reader.recordsOf(entry).isEmpty()
        && (Progress.hidden(visibility.all()).isPresent() || isTypeMissing(entry))) {
      return; // no object of it can exist
    }
    if (isReady(visibility, reader.isSynced(entry))) {
      gather(visibility).ifPresent(seen -> attemptPlans(planner.apply(seen), visibility));
    }
  }

  /** Makes the first write that can be made, but for those that were refused before. */
  private void attemptPlans(List<RelatedPlan> plans, Visibility visibility) {
    for (RelatedPlan plan : plans) {
      switch (plan) {
        case RelatedAction action -> {
          isAnyDue = true;
          if (sync.refused.lastAttempt(key, action) > 0) {
            refusedBefore.add(new Planned(action, visibility));
          } else {
            attempt(action, visibility);
          }
        }
        case Progress reported -> report(reported);
      }
    }
  }

  /** Attempts what was refused before, the latest last. */
  private Progress finish() {
    refusedBefore.stream()
        .sorted(Comparator.comparing(planned -> sync.refused.lastAttempt(key, planned.action())))
        .forEach(planned -> attempt(planned.action(), planned.visibility()));
    if (written.isPresent()) {
      return written.get();
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    if (!isAnyDue) {
      sync.refused.forget(key);
    }
    return progress;
  }

  private void attempt(RelatedAction action, Visibility visibility) {
    if (written.isPresent() || refusals == REFUSED_MAX) {
      return;
    }
    try {
      Optional<Progress> why = blocked(action, visibility);
      if (why.isEmpty()) {
        written = Optional.of(write(action));
      } else {
        report(why.get());
      }
    } catch (KubeFailure e) {
      sync.refused.add(key, action);
      if (!RelatedExecutor.isRefusal(e)) {
        throw e;
      }
      refusals++;
      failed(e);
    } catch (StateTooLarge e) {
      sync.refused.add(key, action);
      report(new Progress.Refused("StateTooLarge", String.valueOf(e.getMessage())));
    }
  }

  private Progress write(RelatedAction action) {
    if (executor.executeAction(action)) {
      sync.refused.remove(key, action);
      return new Progress.Wrote();
    }
    sync.refused.add(key, action);
    return new Progress.Stale();
  }

  /** Why the action must not be executed now; empty if it may be. */
  private Optional<Progress> blocked(RelatedAction action, Visibility visibility) {
    Optional<Progress> why =
        isChecked
            ? visibility
                .violatedBy(action, sync.shared.claims, workspace)
                .or(() -> executor.precededBy(action))
            : Optional.empty();
    return why.or(() -> executor.undone(action));
  }

  /** Throws {@link KubeFailure} if the virtual workspace does not say. */
  private boolean isTypeMissing(RelatedResource entry) {
    return reader.isNotServed(Side.SERVICE, entry)
        || reader.isNotServed(Side.KCP, entry)
            && PermissionClaims.isUnserved(workspace, entry.types().inKcp());
  }

  private Visibility visibility(RelatedResource entry) {
    return Visibility.of(entry, reader.recordsOf(entry), key.cluster(), sync.shared.claims);
  }

  /** Whether decisions about the entry can be made; reports why not. */
  private boolean isReady(Visibility visibility, boolean isSynced) {
    Optional<Progress> hidden = Progress.hidden(visibility.all());
    if (hidden.isPresent()) {
      report(hidden.get());
      return false;
    }
    if (!isSynced) {
      Optional<KubeFailure> why = reader.failure(visibility.entry());
      report(new Progress.NotSynced(why.map(KubeFailure::getMessage).orElse("")));
    }
    return isSynced;
  }

  /** Empty if that is not possible, which is reported. */
  private Optional<RelatedSet> gather(Visibility visibility) {
    RelatedResource entry = visibility.entry();
    try {
      return Optional.of(indexed(() -> reader.readEntry(entry, visibility)));
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

  /**
   * An object has to be in the index before it is read, so that no change of it is missed, and only
   * reading says which objects are read: so all is read again if the index did not have them.
   */
  private RelatedSet indexed(Supplier<RelatedSet> gathering) {
    RelatedSet gathered = gathering.get();
    for (int i = 0; i < GATHER_MAX; i++) {
      if (!sync.index.extend(key, readSet.and(gathered.readSet()))) {
        break;
      }
      gathered = gathering.get();
    }
    readSet = readSet.and(gathered.readSet());
    return gathered;
  }

  private void failed(KubeFailure refusal) {
    failure = failure.or(() -> Optional.of(refusal));
  }

  private void report(Progress reported) {
    progress = progress.orWorse(reported);
  }

  private void report(RelatedResource entry, Resolution resolution) {
    if (resolution.pairs().isEmpty() && sync.rules.misnamed().contains(entry.identifier())) {
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
