package dev.mooring.syncagent.sync;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.sync.decide.SyncAction;

/** Kubernetes Events about one object, in the consumer's workspace. */
interface ConsumerEvents {
  /** An ordinary step. */
  void normal(KubeClient workspace, KubeObject about, String reason, String message);

  /** Something the consumer may have to act on. */
  void warning(KubeClient workspace, KubeObject about, String reason, String message);

  /** Records an action that was carried out, unless it means nothing to a consumer. */
  default void done(KubeClient workspace, KubeObject source, SyncAction action) {
    switch (action) {
      case SyncAction.AddFinalizer _ ->
          normal(
              workspace, source, "ObjectAccepted", "Object has been seen by the service provider.");
      case SyncAction.CreateCopy _ ->
          normal(
              workspace, source, "ObjectPlaced", "Object has been placed at the service provider.");
      case SyncAction.AdoptCopy _ ->
          normal(
              workspace,
              source,
              "ObjectPlaced",
              "An object that existed at the service provider was adopted for this one.");
      case SyncAction.PatchCopy(var _, var patch, var _) -> {
        if (!patch.isEmpty()) {
          normal(
              workspace,
              source,
              "ObjectSynced",
              "The current desired state of the object has been synchronized.");
        }
      }
      case SyncAction.PatchSourceStatus _ ->
          normal(
              workspace,
              source,
              "ObjectStatusSynced",
              "The current object status has been updated.");
      case SyncAction.DeleteCopy _ ->
          normal(
              workspace,
              source,
              "ObjectCleanup",
              source.deleting()
                  ? "Object deletion has been started and will progress in the background."
                  : "The object left the service provider's filter; what the provider has of it is"
                      + " being deleted.");
      case SyncAction.ReleaseCopy _ ->
          normal(
              workspace,
              source,
              "ObjectCleanup",
              "The object at the service provider existed before this one and stays there.");
      case SyncAction.RemoveFinalizer _ ->
          normal(
              workspace,
              source,
              "ObjectDeleted",
              source.deleting()
                  ? "Object deletion has been completed, finalizer has been removed."
                  : "The object is no longer synced, finalizer has been removed.");
      case SyncAction.CreateNamespace _ -> {}
    }
  }

  /** What a server said, without the request's URL: that is the provider's business. */
  static String said(KubeFailure failure) {
    String message = failure.getMessage();
    String code = ": " + failure.code() + " ";
    int at = message.indexOf(code);
    return at < 0 ? failure.reason() : message.substring(at + code.length());
  }
}
