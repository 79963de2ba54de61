package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.export.MultiShardLister;
import dev.mooring.runtime.queue.ReconcileResult;
import dev.mooring.runtime.queue.Reconciler;
import dev.mooring.syncagent.clusters.WorkShare;
import dev.mooring.syncagent.content.RewriteBackoff;
import dev.mooring.syncagent.content.StateTooLarge;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.Primary;
import dev.mooring.syncagent.related.RelatedSync;
import dev.mooring.syncagent.related.decide.Progress;
import dev.mooring.syncagent.sync.ActionExecutor.Outcome;
import dev.mooring.syncagent.sync.decide.CopyLookup;
import dev.mooring.syncagent.sync.decide.OrphanStatePlanner;
import dev.mooring.syncagent.sync.decide.SyncAction;
import dev.mooring.syncagent.sync.decide.SyncPlan;
import dev.mooring.syncagent.sync.decide.SyncPlan.Act;
import dev.mooring.syncagent.sync.decide.SyncPlan.Await;
import dev.mooring.syncagent.sync.decide.SyncPlan.Drifted;
import dev.mooring.syncagent.sync.decide.SyncPlan.InSync;
import dev.mooring.syncagent.sync.decide.SyncPlan.Refuse;
import dev.mooring.syncagent.sync.decide.SyncPlan.Skip;
import dev.mooring.syncagent.sync.decide.SyncPlan.Why;
import dev.mooring.syncagent.sync.decide.SyncPlanner;
import dev.mooring.syncagent.sync.decide.SyncSnapshot;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One pass over one consumer's object: snapshot, plan, one write. The write's own event brings the
 * next pass; only a source that was just held is looked at again at once, since its server's answer
 * says all that the next step has to know.
 */
record PrimaryObjectReconciler(
    SnapshotReader reader,
    ActionExecutor executor,
    RelatedSync related,
    MultiShardLister sources,
    SyncReporter reporter,
    PrimaryWrites writes,
    Caches caches,
    WorkShare work,
    ConflictBackoff backoff,
    RewriteBackoff<ObjectKey> rewrites)
    implements Reconciler<ObjectKey> {
  /** Caches of related types fill within seconds; until then absence says nothing. */
  private static final Duration CACHES_RECHECK = Duration.ofSeconds(1);

  /** A type that is not served, or not granted, may be so at any time; no watch reports it. */
  private static final Duration UNSERVED_RECHECK = Duration.ofSeconds(5);

  /** Foreign objects are not watched: only a recheck finds that the name became free. */
  private static final Duration COLLISION_RECHECK = Duration.ofSeconds(30);

  /** Long after a watch shows a write, if it ever does. */
  private static final Duration OWN_WRITE_RECHECK = Duration.ofSeconds(10);

  private static final String STATE_TOO_LARGE = "StateTooLarge";

  private static final String KEEPS_CHANGING =
      "What the provider has of this object is removed or changed whenever it is written, so that"
          + " it is written ever more rarely. The provider has to find the controller or webhook"
          + " that does that.";

  /** Whether what decisions are made on has been listed. */
  interface Caches {
    /** For an object that is seen. */
    boolean areFilledFor(ObjectKey key);

    /** For any, seen or not. */
    boolean areFilled();

    /** Queues the key again when one of them is filled; must not block. */
    void requeueOnceFilled(ObjectKey key);
  }

  @Override
  public ReconcileResult reconcile(ObjectKey key) {
    reporter.begun(key);
    Optional<WorkShare.Work> begun = work.begin(key.cluster());
    if (begun.isEmpty()) {
      reporter.settled(key);
      return forget(key);
    }
    try (WorkShare.Work _ = begun.get()) {
      return reconcileOwn(key);
    }
  }

  private ReconcileResult reconcileOwn(ObjectKey key) {
    Optional<KubeClient> workspace = sources.clientFor(key);
    Optional<KubeObject> source = reader.source(key);
    if (workspace.isEmpty() || source.isEmpty()) {
      return gone(key);
    }
    if (!caches.areFilledFor(key)) {
      reporter.postponed(key);
      caches.requeueOnceFilled(key);
      return new ReconcileResult.Done();
    }
    var about = new ReconcileContext(key, source.get(), workspace.get(), Optional.empty());
    try {
      SyncSnapshot seen = reportingFailures(about, () -> reader.read(key));
      return carryOut(seen, SyncPlanner.plan(seen), about);
    } catch (StateTooLarge e) {
      reporter.refused(about, STATE_TOO_LARGE, String.valueOf(e.getMessage()));
      return new ReconcileResult.Done();
    }
  }

  /**
   * It is, or its endpoint is: as long as a copy is left, that and all that belongs to it stays.
   */
  private ReconcileResult gone(ObjectKey key) {
    reporter.settled(key);
    OrphanStatePlanner.Plan plan =
        OrphanStatePlanner.plan(
            reader.readOrphanState(
                key,
                !related.records(key).isEmpty(),
                caches.areFilled()
                    ? OrphanStatePlanner.Caches.FILLED
                    : OrphanStatePlanner.Caches.FILLING));
    return switch (plan) {
      case KEEP -> forget(key);
      case AWAIT -> {
        caches.requeueOnceFilled(key);
        yield new ReconcileResult.Done();
      }
      case CLEAR_OWN_STATES -> clearStates(key, plan);
      case CLEAR_EVERYTHING -> {
        // Records go before the state: they are what brings this about after an interruption.
        Progress progress = related.cleanUpOrphaned(key);
        yield progress instanceof Progress.Settled ? clearStates(key, plan) : after(progress, key);
      }
    };
  }

  private ReconcileResult clearStates(ObjectKey key, OrphanStatePlanner.Plan plan) {
    return executor.clearStates(key, plan)
        ? forget(key)
        : new ReconcileResult.RequeueAfter(backoff.next(key));
  }

  private ReconcileResult forget(ObjectKey key) {
    // While caches are filled a source may only seem to be gone.
    if (caches.areFilled()) {
      reporter.forget(key);
    }
    related.forget(key);
    backoff.clear(key);
    rewrites.forget(key);
    writes.gone(key);
    return new ReconcileResult.Done();
  }

  private ReconcileResult carryOut(SyncSnapshot seen, SyncPlan plan, ReconcileContext about) {
    return switch (plan) {
      case InSync() -> inSync(seen, about);
      case Drifted(var copy, var fields) -> {
        ReconcileResult next = inSync(seen, about);
        reporter.drifted(about, copy, fields);
        yield next;
      }
      case Skip(var why) -> {
        reporter.left(about, why);
        yield new ReconcileResult.Done();
      }
      case Await(var why) -> {
        reporter.pending(about.key(), why.text(), "waiting");
        yield again(why);
      }
      case Refuse(var why, var message) -> {
        reporter.refused(about, why.text(), message);
        ReconcileResult next = syncRelatedDespiteRefusal(seen, plan, about);
        yield next instanceof ReconcileResult.Done ? again(why) : next;
      }
      case Act(var action) -> actOrKeepRelated(seen, plan, action, about);
    };
  }

  private static ReconcileResult again(Why why) {
    return why == Why.NAME_COLLISION || why == Why.NAME_TERMINATING
        ? new ReconcileResult.RequeueAfter(COLLISION_RECHECK)
        : new ReconcileResult.Done();
  }

  /** A primary whose own write is refused is the queue's to retry, or a person's to change. */
  private ReconcileResult actOrKeepRelated(
      SyncSnapshot seen, SyncPlan plan, SyncAction action, ReconcileContext about) {
    try {
      return act(seen, action, about);
    } catch (KubeFailure e) {
      try {
        syncRelatedDespiteRefusal(seen, plan, about);
      } catch (KubeFailure | StateTooLarge other) {
        e.addSuppressed(other); // tried again with the primary
      }
      throw e;
    } catch (StateTooLarge e) {
      reporter.refused(about, STATE_TOO_LARGE, String.valueOf(e.getMessage()));
      return syncRelatedDespiteRefusal(seen, plan, about);
    }
  }

  /** Reports why the primary is refused, in place of what its related objects lack. */
  private ReconcileResult syncRelatedDespiteRefusal(
      SyncSnapshot seen, SyncPlan plan, ReconcileContext about) {
    return SyncPlanner.allowsRelated(seen, plan)
        ? after(keepRelated(seen, about), about.key())
        : new ReconcileResult.Done();
  }

  private static Primary primary(SyncSnapshot seen, ReconcileContext about) {
    Optional<KubeObject> copy =
        seen.copy() instanceof CopyLookup.Found(var found, var _)
            ? Optional.of(found)
            : Optional.empty();
    return new Primary(about.key(), about.source(), copy, seen.path());
  }

  private Progress keepRelated(SyncSnapshot seen, ReconcileContext about) {
    return reportingFailures(about, () -> related.sync(primary(seen, about), about.workspace()));
  }

  private ReconcileResult act(SyncSnapshot seen, SyncAction action, ReconcileContext about) {
    if (action instanceof SyncAction.RemoveFinalizer
        && reportingFailures(about, () -> executor.hasUnseenCopy(about.key()))) {
      return conflicted(action, about);
    }
    Progress cleanup = reportingFailures(about, () -> cleanUpRelated(seen, action, about));
    if (!(cleanup instanceof Progress.Settled)) {
      report(about, cleanup, "RelatedCleanup", "related objects are being removed");
      return after(cleanup, about.key());
    }
    Optional<Object> content = contentOf(action);
    Duration delay =
        content.map(written -> rewrites.delay(about.key(), written)).orElse(Duration.ZERO);
    if (delay.isPositive()) {
      reporter.refused(about, RewriteBackoff.REASON, KEEPS_CHANGING);
      return new ReconcileResult.RequeueAfter(delay);
    }
    Outcome outcome =
        reportingFailures(
            about,
            () -> executor.execute(about.key(), action, about.workspace(), about.justWritten()));
    return switch (outcome) {
      case Outcome.Done() -> {
        backoff.clear(about.key());
        int times = content.map(written -> rewrites.wrote(about.key(), written)).orElse(1);
        reporter.done(about, action, times);
        yield switch (action) {
          case SyncAction.AddFinalizer _ -> afterHold(about);
          // Nothing maps a Namespace's event to the objects that go into it.
          case SyncAction.CreateNamespace _ -> new ReconcileResult.RequeueAfter(Duration.ZERO);
          // No watch reports a state that is kept in a Secret, nor a write that an admission
          // webhook turned into what was there.
          case SyncAction.PatchCopy(var _, var patch, var _) when patch.isEmpty() || times > 1 ->
              new ReconcileResult.RequeueAfter(Duration.ZERO);
          case SyncAction.AdoptCopy(var _, var patch, var _) when patch.isEmpty() ->
              new ReconcileResult.RequeueAfter(Duration.ZERO);
          case SyncAction.RemoveFinalizer _,
              SyncAction.PatchCopy _,
              SyncAction.ReleaseCopy _,
              SyncAction.PatchSourceStatus _ ->
              new ReconcileResult.Done();
          // A watch may never report an object that came and went before it was shown.
          case SyncAction.CreateCopy _, SyncAction.AdoptCopy _ ->
              recheckIf(writes.hasUnshownCopy(about.key()));
          case SyncAction.DeleteCopy _ -> recheckIf(writes.awaitsCopy(about.key()));
        };
      }
      case Outcome.Conflict() -> conflicted(action, about);
      case Outcome.NameTaken(var place) ->
          afterNameTaken(
              reportingFailures(about, () -> reader.readNameTaken(about.key(), place)), about);
    };
  }

  private ReconcileResult conflicted(SyncAction action, ReconcileContext about) {
    reporter.conflicted(action);
    return new ReconcileResult.RequeueAfter(backoff.next(about.key()));
  }

  /** What the action writes to the copy; empty if it does not write content. */
  private static Optional<Object> contentOf(SyncAction action) {
    return switch (action) {
      case SyncAction.CreateCopy(var _, var lastKnown, var _) -> Optional.of(lastKnown);
      case SyncAction.PatchCopy(var _, var patch, var lastKnown) when !patch.isEmpty() ->
          Optional.of(lastKnown);
      default -> Optional.empty();
    };
  }

  /** Reports how far related objects are; the reason is for the time while they are written. */
  private void report(ReconcileContext about, Progress progress, String reason, String message) {
    switch (progress) {
      case Progress.Settled() -> reporter.synced(about);
      case Progress.Wrote(), Progress.Stale(), Progress.Waiting() ->
          reporter.pending(about.key(), reason, message);
      case Progress.NotSynced(var why) ->
          reporter.pending(
              about.key(), "RelatedNotListed", "related objects cannot be listed yet: " + why);
      case Progress.Warned(var warning, var text) -> reporter.skipped(about, warning, text);
      case Progress.Refused(var refusal, var text, var _) -> reporter.refused(about, refusal, text);
    }
  }

  /** Only once: a finalizer that is taken off as soon as it is there is a matter for later. */
  private ReconcileResult afterHold(ReconcileContext held) {
    Optional<KubeObject> source = reader.source(held.key());
    if (source.isEmpty() || !source.get().hasFinalizer(SyncMarks.FINALIZER)) {
      return new ReconcileResult.Done();
    }
    var about = new ReconcileContext(held.key(), source.get(), held.workspace(), source);
    SyncSnapshot seen = reportingFailures(about, () -> reader.read(about.key()));
    return carryOut(seen, SyncPlanner.plan(seen), about);
  }

  /** A failure is the queue's to retry, and the consumer's to know. */
  private <T> T reportingFailures(ReconcileContext about, Supplier<T> requests) {
    try {
      return requests.get();
    } catch (KubeFailure e) {
      reporter.failed(about, e);
      throw e;
    }
  }

  /** Related objects go after the copy: who works on its end may need them. */
  private Progress cleanUpRelated(SyncSnapshot seen, SyncAction action, ReconcileContext about) {
    return switch (action) {
      case SyncAction.DeleteCopy _, SyncAction.ReleaseCopy _ ->
          related.keep(primary(seen, about), about.workspace());
      case SyncAction.RemoveFinalizer _ -> related.cleanUp(primary(seen, about), about.workspace());
      case SyncAction.AddFinalizer _,
          SyncAction.CreateNamespace _,
          SyncAction.CreateCopy _,
          SyncAction.AdoptCopy _,
          SyncAction.PatchCopy _,
          SyncAction.PatchSourceStatus _ ->
          new Progress.Settled();
    };
  }

  /** Only once: a name that is taken and free in turns is looked at again later. */
  private ReconcileResult afterNameTaken(SyncSnapshot seen, ReconcileContext about) {
    SyncPlan plan = SyncPlanner.plan(seen);
    return plan instanceof Act(SyncAction.CreateCopy _)
        ? new ReconcileResult.RequeueAfter(backoff.next(about.key()))
        : carryOut(seen, plan, about);
  }

  private ReconcileResult inSync(SyncSnapshot seen, ReconcileContext about) {
    ObjectKey key = about.key();
    backoff.clear(key);
    if (about.source().deleting() && !about.source().hasFinalizer(SyncMarks.FINALIZER)) {
      reporter.settled(key);
      return new ReconcileResult.Done();
    }
    Progress progress = keepRelated(seen, about);
    report(about, progress, "Related", "related objects are being synced");
    ReconcileResult next = after(progress, key);
    return next instanceof ReconcileResult.Done ? recheckIf(writes.awaitsCopy(key)) : next;
  }

  private static ReconcileResult recheckIf(boolean awaits) {
    return awaits
        ? new ReconcileResult.RequeueAfter(OWN_WRITE_RECHECK)
        : new ReconcileResult.Done();
  }

  private ReconcileResult after(Progress progress, ObjectKey key) {
    return switch (progress) {
      case Progress.Settled(), Progress.Wrote(), Progress.Waiting() -> new ReconcileResult.Done();
      case Progress.Stale() -> new ReconcileResult.RequeueAfter(backoff.next(key));
      case Progress.Refused(var _, var _, var retryAfter) when !retryAfter.isZero() ->
          new ReconcileResult.RequeueAfter(retryAfter);
      case Progress.NotSynced(var why) ->
          new ReconcileResult.RequeueAfter(why.isEmpty() ? CACHES_RECHECK : UNSERVED_RECHECK);
      case Progress.Refused _, Progress.Warned _ -> new ReconcileResult.Done();
    };
  }
}
