package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.published.SyncMarks;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.content.LastKnownState;
import dev.mooring.syncagent.sync.decide.CopyPlace;
import dev.mooring.syncagent.sync.decide.SyncAction;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns each action into one write with its precondition. A precondition that no longer holds is
 * not a failure: the caches are behind, and what changed is on its way.
 */
final class ActionExecutor {
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final SyncRules rules;
  private final KubeClient service;
  private final OwnWrites ownWrites;

  ActionExecutor(SyncRules rules, KubeClient service, OwnWrites ownWrites) {
    this.rules = rules;
    this.service = service;
    this.ownWrites = ownWrites;
  }

  /** How an action went. */
  sealed interface Outcome {
    record Done() implements Outcome {}

    /** Something else changed first: observe again. */
    record Outdated() implements Outcome {}

    /** The copy's name is in use. */
    record NameTaken(CopyPlace.At place) implements Outcome {}
  }

  /**
   * @param workspace of the source
   * @throws KubeFailure if the server refuses or does not answer
   */
  Outcome execute(ObjectKey key, SyncAction action, KubeClient workspace) {
    try {
      return switch (action) {
        case SyncAction.HoldSource(var source, var finalizers) ->
            finalizers(workspace, source, finalizers);
        case SyncAction.ReleaseSource(var source, var finalizers) ->
            finalizers(workspace, source, finalizers);
        case SyncAction.CreateNamespace(var name) -> createNamespace(name);
        case SyncAction.CreateCopy create -> createCopy(key, create, workspace);
        case SyncAction.AdoptCopy(var stranger, var patch, var lastKnown) ->
            patchCopy(stranger, patch, Optional.of(lastKnown));
        case SyncAction.PatchCopy(var copy, var patch, var lastKnown) ->
            patchCopy(copy, patch, Optional.of(lastKnown));
        case SyncAction.ReleaseCopy(var copy, var patch) ->
            patchCopy(copy, patch, Optional.empty());
        case SyncAction.DeleteCopy(var copy) -> deleteCopy(key, copy);
        case SyncAction.PatchSourceStatus(var desired) -> {
          workspace.updateStatus(rules.source().resource(), desired);
          yield new Outcome.Done();
        }
      };
    } catch (KubeFailure e) {
      if (e.kind() == Kind.CONFLICT || e.kind() == Kind.NOT_FOUND) {
        return new Outcome.Outdated();
      }
      throw e;
    }
  }

  private Outcome finalizers(KubeClient workspace, KubeObject source, List<String> finalizers) {
    workspace.patch(
        rules.source().resource(),
        source.namespace(),
        source.name(),
        Map.of(
            "metadata",
            Map.of("finalizers", finalizers, "resourceVersion", source.resourceVersion())));
    return new Outcome.Done();
  }

  private Outcome createNamespace(String name) {
    try {
      service.create(
          NAMESPACES,
          KubeObject.of(
              Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", name))));
      ownWrites.createdNamespace(name);
      return new Outcome.Done();
    } catch (KubeFailure e) {
      if (e.kind() == Kind.ALREADY_EXISTS) {
        return new Outcome.Outdated();
      }
      throw e;
    }
  }

  private Outcome createCopy(ObjectKey key, SyncAction.CreateCopy create, KubeClient workspace) {
    Optional<KubeObject> source =
        workspace.find(rules.source().resource(), key.namespace(), key.name());
    if (source.isEmpty()
        || source.get().deleting()
        || !source.get().uid().equals(create.ifSourceUid())
        || !source.get().hasFinalizer(SyncMarks.FINALIZER)) {
      return new Outcome.Outdated();
    }
    KubeObject desired =
        create
            .desired()
            .with(
                LastKnownState.encode(create.lastKnown()),
                "metadata",
                "annotations",
                SyncMarks.LAST_KNOWN_STATE);
    try {
      ownWrites.created(key, service.create(rules.copy().resource(), desired));
      return new Outcome.Done();
    } catch (KubeFailure e) {
      if (e.kind() == Kind.ALREADY_EXISTS) {
        return new Outcome.NameTaken(new CopyPlace.At(desired.namespace(), desired.name()));
      }
      throw e;
    }
  }

  private Outcome patchCopy(
      KubeObject copy, Map<String, Object> patch, Optional<Map<String, Object>> lastKnown) {
    var metadata = new LinkedHashMap<>(Trees.mapOrEmpty(patch.get("metadata")));
    lastKnown.ifPresent(state -> {
      var annotations = new LinkedHashMap<>(Trees.mapOrEmpty(metadata.get("annotations")));
      annotations.put(SyncMarks.LAST_KNOWN_STATE, LastKnownState.encode(state));
      metadata.put("annotations", annotations);
    });
    metadata.put("resourceVersion", copy.resourceVersion());
    metadata.put("uid", copy.uid());
    var conditional = new LinkedHashMap<>(patch);
    conditional.put("metadata", metadata);
    service.patch(rules.copy().resource(), copy.namespace(), copy.name(), conditional);
    return new Outcome.Done();
  }

  private Outcome deleteCopy(ObjectKey key, KubeObject copy) {
    try {
      service.delete(
          rules.copy().resource(),
          copy.namespace(),
          copy.name(),
          new DeleteCondition.Unchanged(copy.uid(), copy.resourceVersion()));
      return new Outcome.Done();
    } catch (KubeFailure e) {
      if (e.kind() == Kind.NOT_FOUND) {
        ownWrites.shown(key);
      }
      throw e;
    }
  }
}
