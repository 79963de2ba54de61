package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.event.EventNote;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.FailureRegistry.Failure;
import dev.mooring.syncagent.sync.ObjectDiagnosis.State;
import dev.mooring.syncagent.sync.decide.SyncAction;
import dev.mooring.syncagent.sync.decide.SyncPlan.Why;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Reports the result of a pass: events on the consumer's object, some events on the copy, meters
 * and the agent's status. A result that stays the same is reported once.
 *
 * @param events receives an Event about an object, in the workspace or cluster of the client; must
 *     not block
 * @param warned objects whose consumer has last read a warning; concurrent
 */
record SyncReporter(
    BiConsumer<KubeClient, EventNote> events,
    Set<ObjectKey> warned,
    FailureRegistry failures,
    KubeClient service,
    UnsyncedObjects unsynced,
    SyncMeters meters) {
  /** The reason for a request that failed. */
  static final String FAILED = "ReconcilingError";

  void begun(ObjectKey key) {
    unsynced.begun(key);
  }

  void postponed(ObjectKey key) {
    unsynced.postponed(key);
  }

  /** It is gone, or nothing is to be done for it. */
  void settled(ObjectKey key) {
    failures.clear(key);
    unsynced.settled(key);
  }

  /** It is gone: another object may have its key. */
  void forget(ObjectKey key) {
    warned.remove(key);
  }

  /** An earlier warning is over, which its consumer cannot see otherwise. */
  void synced(ReconcileContext about) {
    settled(about.key());
    if (warned.remove(about.key())) {
      normal(about, "ObjectInSync", "The object and its related objects are in sync again.");
    }
  }

  private void normal(ReconcileContext about, String reason, String message) {
    send(about, note(about, reason, message));
  }

  private static EventNote note(ReconcileContext about, String reason, String message) {
    return EventNote.normal(about.source(), reason, message);
  }

  private void send(ReconcileContext about, EventNote note) {
    events.accept(about.workspace(), note);
  }

  private void warn(ReconcileContext about, String reason, String message) {
    warned.add(about.key());
    send(about, EventNote.warning(about.source(), reason, message));
  }

  void pending(ObjectKey key, String reason, String message) {
    failures.report(key, new Failure(State.PENDING, reason, message));
  }

  /** The consumer reads of the first only where the same is written several times in a row. */
  void done(ReconcileContext about, SyncAction action, int times) {
    pending(about.key(), "Syncing", "being written");
    count(about.key(), action);
    if (times == 1) {
      announce(about, action);
    }
    if (action instanceof SyncAction.ReleaseCopy(var copy, var _)) {
      events.accept(
          service,
          EventNote.normal(
              copy,
              "Released",
              "The object that this one was kept in step with is gone. It existed before and"
                  + " stays."));
    }
  }

  private void announce(ReconcileContext about, SyncAction action) {
    switch (action) {
      case SyncAction.AddFinalizer _ -> send(about, accepted(about));
      case SyncAction.CreateCopy _ ->
          placed(about, "Object has been placed at the service provider.");
      case SyncAction.AdoptCopy _ ->
          placed(about, "An object that existed at the service provider was adopted for this one.");
      case SyncAction.PatchCopy(var _, var patch, var _) when patch.isEmpty() -> {}
      case SyncAction.PatchCopy _ ->
          normal(
              about,
              "ObjectSynced",
              "The current desired state of the object has been synchronized.");
      case SyncAction.PatchSourceStatus _ ->
          normal(about, "ObjectStatusSynced", "The current object status has been updated.");
      case SyncAction.DeleteCopy _ -> send(about, cleanup(about));
      case SyncAction.ReleaseCopy _ ->
          normal(
              about,
              "ObjectCleanup",
              "The object at the service provider existed before this one and stays there.");
      case SyncAction.RemoveFinalizer _ when about.source().deleting() ->
          send(
              about,
              note(
                      about,
                      "ObjectDeleted",
                      "Object deletion has been completed, finalizer has been removed.")
                  .implying(cleanup(about)));
      case SyncAction.RemoveFinalizer _ ->
          normal(
              about,
              "ObjectDeleted",
              "The object is no longer synced, finalizer has been removed.");
      case SyncAction.CreateNamespace _ -> {}
    }
  }

  private static EventNote accepted(ReconcileContext about) {
    return note(about, "ObjectAccepted", "Object has been seen by the service provider.");
  }

  private void placed(ReconcileContext about, String message) {
    send(about, note(about, "ObjectPlaced", message).implying(accepted(about)));
  }

  private static EventNote cleanup(ReconcileContext about) {
    return note(
        about,
        "ObjectCleanup",
        about.source().deleting()
            ? "Object deletion has been started and will progress in the background."
            : "The object left the service provider's filter; what the provider has of it is being"
                + " deleted.");
  }

  private void count(ObjectKey key, SyncAction action) {
    switch (action) {
      case SyncAction.CreateCopy _,
          SyncAction.PatchCopy _,
          SyncAction.DeleteCopy _,
          SyncAction.PatchSourceStatus _ ->
          meters.carried(action.side(), unsynced.carried(key));
      case SyncAction.AdoptCopy _,
          SyncAction.ReleaseCopy _,
          SyncAction.CreateNamespace _,
          SyncAction.AddFinalizer _,
          SyncAction.RemoveFinalizer _ ->
          meters.wrote(action.side());
    }
  }

  /** Something else was faster than the write. */
  void conflicted(SyncAction action) {
    meters.conflicted(action.side());
  }

  void refused(ReconcileContext about, String reason, String message) {
    unsynced.settled(about.key());
    if (failures.report(about.key(), new Failure(State.REFUSED, reason, message))) {
      meters.refused(reason);
      warn(about, reason, message);
    }
  }

  /** All is in step but for this, which only a person can change. */
  void skipped(ReconcileContext about, String reason, String message) {
    unsynced.settled(about.key());
    if (failures.report(about.key(), new Failure(State.SKIPPED, reason, message))) {
      warn(about, reason, message);
    }
  }

  /**
   * That it is out of the filter is said only of objects that were synced before: all others may be
   * for another agent's filter.
   */
  void left(ReconcileContext about, Why why) {
    if (why == Why.OUT_OF_FILTER && !about.source().hasFinalizer(SyncMarks.FINALIZER)) {
      settled(about.key());
    } else {
      skipped(about, why.text(), leaving(about.source(), why));
    }
  }

  private static String leaving(KubeObject source, Why why) {
    if (why == Why.PAUSED) {
      return source.deleting()
          ? "Syncing is paused: the deletion goes on when it is resumed."
          : "Syncing is paused: changes are not carried over until it is resumed.";
    }
    return "This object, or its namespace, no longer has the labels that the service provider asks"
        + " for. What the provider has of it stays as it is and is not updated.";
  }

  /** On the copy: a consumer cannot see it, and need not. */
  void drifted(ReconcileContext about, KubeObject copy, List<String> fields) {
    String drift =
        "Changed on this side only, so it differs from the consumer's object: "
            + String.join(", ", fields);
    events.accept(service, EventNote.warning(copy, "LocalDrift", drift));
  }

  /** Whose server a request went to, in words for the consumer. */
  private enum Where {
    WORKSPACE("Your workspace"),
    PROVIDER("The service provider's cluster"),
    /** Which, the failure does not say. */
    EITHER("One of the servers");

    private final String text;

    Where(String text) {
      this.text = text;
    }
  }

  void failed(ReconcileContext about, KubeFailure failure) {
    Where where = where(about, failure);
    String kind = failure.kind().name().toLowerCase(Locale.ROOT);
    if (isRefusal(failure)) {
      unsynced.settled(about.key());
      meters.refused(kind);
    } else {
      meters.failed(where == Where.WORKSPACE ? Side.KCP : Side.SERVICE, kind);
    }
    warn(about, FAILED, message(where, failure));
  }

  /** Whether the server refuses the object's content: of others it takes what syncing needs. */
  static boolean isRefusal(Exception cause) {
    return cause instanceof KubeFailure failure && isRefusal(failure.kind());
  }

  static boolean isRefusal(KubeFailure.Kind kind) {
    return kind == KubeFailure.Kind.INVALID || kind == KubeFailure.Kind.TOO_LARGE;
  }

  private static Where where(ReconcileContext about, KubeFailure failure) {
    return failure
        .askedAt()
        .map(url -> url.equals(about.workspace().url()) ? Where.WORKSPACE : Where.PROVIDER)
        .orElse(Where.EITHER);
  }

  private static String message(Where where, KubeFailure failure) {
    return switch (failure.kind()) {
      case INVALID, TOO_LARGE ->
          where.text + " refuses what syncing this object needs: " + failure.said();
      case FORBIDDEN, UNAUTHORIZED ->
          "%s does not permit what syncing this object needs: %s It is tried again."
              .formatted(where.text, failure.said());
      case NOT_SERVED ->
          where.text + " does not serve a type that syncing this object needs. It is tried again.";
      case NOT_FOUND, ALREADY_EXISTS, CONFLICT, GONE ->
          where.text
              + " has changed what syncing this object was about to change. It is tried again.";
      case UNAVAILABLE -> where.text + " cannot be reached at the moment. It is tried again.";
    };
  }
}
