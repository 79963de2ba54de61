package dev.mooring.syncagent.sync;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.event.EventNote;
import dev.mooring.syncagent.sync.decide.SyncAction;

/** Kubernetes Events about one object, in the consumer's workspace; must not block. */
@FunctionalInterface
interface ConsumerEvents {
  void record(KubeClient workspace, EventNote note);

  /** An ordinary step. */
  default void normal(KubeClient workspace, KubeObject about, String reason, String message) {
    record(workspace, EventNote.normal(about, reason, message));
  }

  /** Something the consumer may have to act on. */
  default void warning(KubeClient workspace, KubeObject about, String reason, String message) {
    record(workspace, EventNote.warning(about, reason, message));
  }

  /** Records an action that was carried out, unless it means nothing to a consumer. */
  default void done(KubeClient workspace, KubeObject source, SyncAction action) {
    String reason =
        switch (action) {
          case SyncAction.AddFinalizer _ -> "ObjectAccepted";
          case SyncAction.CreateCopy _, SyncAction.AdoptCopy _ -> "ObjectPlaced";
          case SyncAction.PatchCopy(var _, var patch, var _) ->
              patch.isEmpty() ? "" : "ObjectSynced";
          case SyncAction.PatchSourceStatus _ -> "ObjectStatusSynced";
          case SyncAction.DeleteCopy _, SyncAction.ReleaseCopy _ -> "ObjectCleanup";
          case SyncAction.RemoveFinalizer _ -> "ObjectDeleted";
          case SyncAction.CreateNamespace _ -> "";
        };
    if (!reason.isEmpty()) {
      normal(workspace, source, reason, message(source, action));
    }
  }

  private static String message(KubeObject source, SyncAction action) {
    return switch (action) {
      case SyncAction.AddFinalizer _ -> "Object has been seen by the service provider.";
      case SyncAction.CreateCopy _ -> "Object has been placed at the service provider.";
      case SyncAction.AdoptCopy _ ->
          "An object that existed at the service provider was adopted for this one.";
      case SyncAction.PatchCopy _ ->
          "The current desired state of the object has been synchronized.";
      case SyncAction.PatchSourceStatus _ -> "The current object status has been updated.";
      case SyncAction.DeleteCopy _ ->
          source.deleting()
              ? "Object deletion has been started and will progress in the background."
              : "The object left the service provider's filter; what the provider has of it is"
                  + " being deleted.";
      case SyncAction.ReleaseCopy _ ->
          "The object at the service provider existed before this one and stays there.";
      case SyncAction.RemoveFinalizer _ ->
          source.deleting()
              ? "Object deletion has been completed, finalizer has been removed."
              : "The object is no longer synced, finalizer has been removed.";
      case SyncAction.CreateNamespace _ -> "";
    };
  }
}
