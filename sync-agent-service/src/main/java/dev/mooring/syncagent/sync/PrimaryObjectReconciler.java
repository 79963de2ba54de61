package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.SyncMarks;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.queue.Next;
import dev.mooring.runtime.queue.Worker;
import dev.mooring.syncagent.content.StateTooLarge;
import dev.mooring.syncagent.fleet.ConsumerObjects;
import dev.mooring.syncagent.related.RelatedReconciler;
import dev.mooring.syncagent.related.RelatedReconciler.Progress;
import dev.mooring.syncagent.sync.ActionExecutor.Outcome;
import dev.mooring.syncagent.sync.Troubles.Outlook;
import dev.mooring.syncagent.sync.Troubles.Trouble;
import dev.mooring.syncagent.sync.decide.Sighting;
import dev.mooring.syncagent.sync.decide.SyncAction;
import dev.mooring.syncagent.sync.decide.SyncPlan;
import dev.mooring.syncagent.sync.decide.SyncPlan.Act;
import dev.mooring.syncagent.sync.decide.SyncPlan.Await;
import dev.mooring.syncagent.sync.decide.SyncPlan.InSync;
import dev.mooring.syncagent.sync.decide.SyncPlan.Leave;
import dev.mooring.syncagent.sync.decide.SyncPlan.Refuse;
import dev.mooring.syncagent.sync.decide.SyncPlanner;
import dev.mooring.syncagent.sync.decide.SyncSnapshot;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * One pass over one consumer's object: snapshot, plan, at most one write. The write's own event
 * brings the next pass.
 */
final class PrimaryObjectReconciler implements Worker<ObjectKey> {
  /** Caches fill within seconds; until then nothing can be told from absence. */
  private static final Duration CACHES_RECHECK = Duration.ofSeconds(1);

  /** The event of whatever was faster usually comes first; this is for when it came before. */
  private static final Duration OUTDATED_RECHECK = Duration.ofMillis(200);

  /** Strangers are not watched, so only looking again can tell that the name became free. */
  private static final Duration COLLISION_RECHECK = Duration.ofSeconds(30);

  private final SnapshotReader reader;
  private final ActionExecutor executor;
  private final RelatedReconciler related;
  private final ConsumerObjects sources;
  private final ConsumerEvents events;
  private final Troubles troubles;
  private final BooleanSupplier cachesFilled;

  PrimaryObjectReconciler(
      SnapshotReader reader,
      ActionExecutor executor,
      RelatedReconciler related,
      ConsumerObjects sources,
      ConsumerEvents events,
      Troubles troubles,
      BooleanSupplier cachesFilled) {
    this.reader = reader;
    this.executor = executor;
    this.related = related;
    this.sources = sources;
    this.events = events;
    this.troubles = troubles;
    this.cachesFilled = cachesFilled;
  }

  @Override
  public Next work(ObjectKey key) {
    if (!cachesFilled.getAsBoolean()) {
      return new Next.After(CACHES_RECHECK);
    }
    Optional<KubeClient> workspace = sources.clientFor(key);
    SyncSnapshot seen = reader.read(key);
    if (workspace.isEmpty() || seen.source().isEmpty()) {
      related.forget(key);
      troubles.clear(key);
      return new Next.OnEvent();
    }
    KubeObject source = seen.source().get();
    try {
      return step(seen, source, workspace.get());
    } catch (KubeFailure e) {
      tell(source, workspace.get(), e);
      throw e;
    } catch (StateTooLarge e) {
      refuse(key, source, workspace.get(), "StateTooLarge", e.getMessage());
      return new Next.OnEvent();
    }
  }

  private Next step(SyncSnapshot seen, KubeObject source, KubeClient workspace) {
    if (source.deleting() && source.hasFinalizer(SyncMarks.FINALIZER)) {
      Progress progress = related.windDown(seen.key(), source, copy(seen), workspace);
      if (!(progress instanceof Progress.Settled)) {
        pending(seen.key(), "RelatedCleanup", "related objects are being removed");
        return after(progress);
      }
    }
    return carryOut(seen, SyncPlanner.plan(seen), source, workspace);
  }

  private Next carryOut(SyncSnapshot seen, SyncPlan plan, KubeObject source, KubeClient workspace) {
    return switch (plan) {
      case InSync() -> inSync(seen, source, workspace);
      case Leave(var _) -> {
        troubles.clear(seen.key());
        yield new Next.OnEvent();
      }
      case Await(var why) -> {
        pending(seen.key(), why.text(), "waiting");
        yield new Next.OnEvent();
      }
      case Refuse(var why, var message) -> {
        refuse(seen.key(), source, workspace, why.text(), message);
        yield why == SyncPlan.Why.NAME_COLLISION
            ? new Next.After(COLLISION_RECHECK)
            : new Next.OnEvent();
      }
      case Act(var action) ->
          switch (executor.execute(seen.key(), action, workspace)) {
            case Outcome.Done() -> {
              events.done(workspace, source, action);
              pending(seen.key(), "Syncing", "being written");
              // Nothing maps a Namespace's event to the objects that go into it.
              yield action instanceof SyncAction.CreateNamespace
                  ? new Next.After(Duration.ZERO)
                  : new Next.OnEvent();
            }
            case Outcome.Outdated() -> new Next.After(OUTDATED_RECHECK);
            case Outcome.NameTaken(var place) -> {
              SyncSnapshot again = reader.readNameTaken(seen.key(), place);
              yield afterNameTaken(again, source, workspace);
            }
          };
    };
  }

  /** Only once: a name that is taken and free in turns is looked at again later. */
  private Next afterNameTaken(SyncSnapshot seen, KubeObject source, KubeClient workspace) {
    SyncPlan plan = SyncPlanner.plan(seen);
    return plan instanceof Act(SyncAction.CreateCopy _)
        ? new Next.After(OUTDATED_RECHECK)
        : carryOut(seen, plan, source, workspace);
  }

  private Next inSync(SyncSnapshot seen, KubeObject source, KubeClient workspace) {
    if (source.deleting()) {
      troubles.clear(seen.key());
      return new Next.OnEvent();
    }
    Progress progress = related.keepInStep(seen.key(), source, copy(seen), workspace);
    switch (progress) {
      case Progress.Settled() -> troubles.clear(seen.key());
      case Progress.Wrote(), Progress.Outdated(), Progress.Waiting() ->
          pending(seen.key(), "Related", "related objects are being synced");
      case Progress.Refused(var reason, var message) ->
          refuse(seen.key(), source, workspace, reason, message);
    }
    return after(progress);
  }

  private static Next after(Progress progress) {
    return switch (progress) {
      case Progress.Settled(), Progress.Wrote(), Progress.Waiting() -> new Next.OnEvent();
      case Progress.Outdated() -> new Next.After(OUTDATED_RECHECK);
      case Progress.Refused _ -> new Next.OnEvent();
    };
  }

  private static Optional<KubeObject> copy(SyncSnapshot seen) {
    return seen.copy() instanceof Sighting.Found(var copy, var _)
        ? Optional.of(copy)
        : Optional.empty();
  }

  private void pending(ObjectKey key, String reason, String message) {
    troubles.report(key, new Trouble(Outlook.PENDING, reason, message));
  }

  private void refuse(
      ObjectKey key, KubeObject source, KubeClient workspace, String reason, String message) {
    troubles.report(key, new Trouble(Outlook.FAILED, reason, message));
    events.warning(workspace, source, reason, message);
  }

  private void tell(KubeObject source, KubeClient workspace, KubeFailure failure) {
    String message =
        switch (failure.kind()) {
          case INVALID, TOO_LARGE ->
              "The service provider's cluster refuses this object: " + ConsumerEvents.said(failure);
          case FORBIDDEN, UNAUTHORIZED ->
              "The service provider may not do this: "
                  + ConsumerEvents.said(failure)
                  + " It is tried again.";
          case NOT_FOUND, NOT_SERVED, ALREADY_EXISTS, CONFLICT, GONE, UNAVAILABLE ->
              "The service provider cannot be reached at the moment. It is tried again.";
        };
    events.warning(workspace, source, "ReconcilingError", message);
  }
}
