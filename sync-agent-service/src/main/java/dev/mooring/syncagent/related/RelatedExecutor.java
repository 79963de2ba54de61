package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.published.RelatedResource;
import dev.mooring.model.published.RelatedResource.Origin;
import dev.mooring.model.published.SyncMarks;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.related.decide.RelatedAction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns each action into one write with its precondition, on the side where it belongs. */
final class RelatedExecutor {
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final KubeClient service;
  private final RelatedStore store;
  private final ResourceType primaryType;

  RelatedExecutor(KubeClient service, RelatedStore store, ResourceType primaryType) {
    this.service = service;
    this.store = store;
    this.primaryType = primaryType;
  }

  /** How an action went. */
  enum Outcome {
    DONE,
    /** Something else changed first: observe again. */
    OUTDATED
  }

  Outcome execute(
      ObjectKey key,
      RelatedResource entry,
      KubeObject primary,
      RelatedAction action,
      KubeClient workspace) {
    KubeClient destination = entry.origin() == Origin.SERVICE ? workspace : service;
    try {
      switch (action) {
        case RelatedAction.HoldOriginal(var original, var finalizers) ->
            finalizers(entry, original, finalizers, workspace);
        case RelatedAction.ReleaseOriginal(var original, var finalizers) ->
            finalizers(entry, original, finalizers, workspace);
        case RelatedAction.CreateNamespace(var name) ->
            destination.create(
                NAMESPACES,
                KubeObject.of(
                    Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "Namespace",
                        "metadata",
                        Map.of("name", name))));
        case RelatedAction.CreateCopy(var desired) -> destination.create(entry.type(), desired);
        case RelatedAction.PatchCopy(var copy, var patch) ->
            patch(destination, entry.type(), copy, patch);
        case RelatedAction.DeleteCopy(var copy) ->
            destination.delete(
                entry.type(),
                copy.namespace(),
                copy.name(),
                new DeleteCondition.Unchanged(copy.uid(), copy.resourceVersion()));
        case RelatedAction.StoreRecord(var record) -> store.put(key, entry.identifier(), record);
        case RelatedAction.DropRecord() -> store.drop(key, entry.identifier());
        case RelatedAction.Note(var value) -> note(entry, primary, value, workspace);
        case RelatedAction.RemoveNote() -> note(entry, primary, null, workspace);
      }
      return Outcome.DONE;
    } catch (KubeFailure e) {
      if (e.kind() == Kind.CONFLICT
          || e.kind() == Kind.NOT_FOUND
          || e.kind() == Kind.ALREADY_EXISTS) {
        return Outcome.OUTDATED;
      }
      throw e;
    }
  }

  /** The annotation that names the copy on the primary. */
  static String noteKey(RelatedResource entry) {
    return SyncMarks.RELATED_PREFIX + entry.identifier() + ".0";
  }

  private static void finalizers(
      RelatedResource entry, KubeObject original, List<String> finalizers, KubeClient workspace) {
    patch(workspace, entry.type(), original, Map.of("metadata", Map.of("finalizers", finalizers)));
  }

  private void note(RelatedResource entry, KubeObject primary, String value, KubeClient workspace) {
    var annotations = new LinkedHashMap<String, Object>();
    annotations.put(noteKey(entry), value);
    patch(workspace, primaryType, primary, Map.of("metadata", Map.of("annotations", annotations)));
  }

  private static void patch(
      KubeClient client, ResourceType type, KubeObject object, Map<String, Object> patch) {
    var metadata = new LinkedHashMap<>(Trees.mapOrEmpty(patch.get("metadata")));
    metadata.put("resourceVersion", object.resourceVersion());
    metadata.put("uid", object.uid());
    var conditional = new LinkedHashMap<>(patch);
    conditional.put("metadata", metadata);
    client.patch(type, object.namespace(), object.name(), conditional);
  }
}
