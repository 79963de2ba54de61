package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.SyncMarks;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.content.LastKnownStates;
import dev.mooring.syncagent.content.StateKey;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.sync.decide.CopyPlace;
import dev.mooring.syncagent.sync.decide.RemnantPlan;
import dev.mooring.syncagent.sync.decide.SyncAction;
import dev.mooring.syncagent.sync.decide.SyncRules;
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
  private final LastKnownStates states;
  private final OwnWrites ownWrites;

  ActionExecutor(SyncRules rules, KubeClient service, LastKnownStates states, OwnWrites ownWrites) {
    this.rules = rules;
    this.service = service;
    this.states = states;
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
   * @param justWritten the source as this very pass wrote it: then its server has said a moment ago
   *     how it is, and need not be asked before a copy is made
   * @throws KubeFailure if the server refuses or does not answer
   */
  Outcome execute(
      ObjectKey key, SyncAction action, KubeClient workspace, Optional<KubeObject> justWritten) {
    try {
      return switch (action) {
        case SyncAction.HoldSource(var source, var finalizers) ->
            finalizers(key, workspace, source, finalizers);
        case SyncAction.ReleaseSource release -> releaseSource(key, release, workspace);
        case SyncAction.CreateNamespace(var name) -> createNamespace(name);
        case SyncAction.CreateCopy create -> createCopy(key, create, workspace, justWritten);
        case SyncAction.AdoptCopy(var stranger, var patch, var lastKnown) ->
            adoptCopy(key, stranger, patch, lastKnown);
        case SyncAction.PatchCopy(var copy, var patch, var lastKnown) ->
            patchCopy(key, copy, patch, lastKnown);
        case SyncAction.ReleaseCopy(var copy, var patch) -> releaseCopy(key, copy, patch);
        case SyncAction.DeleteCopy(var copy) -> deleteCopy(key, copy);
        case SyncAction.PatchSourceStatus(var desired) -> {
          ownWrites.wroteSource(key, workspace.updateStatus(rules.source().resource(), desired));
          yield new Outcome.Done();
        }
      };
    } catch (KubeFailure e) {
      if (e.kind() == Kind.CONFLICT || e.kind() == Kind.NOT_FOUND) {
        // What we wrote last is not what is there: the watch is to be believed again.
        ownWrites.forget(key);
        return new Outcome.Outdated();
      }
      throw e;
    }
  }

  /** After the end of source and copy, as far as nothing of it has changed since. */
  Outcome clearStates(ObjectKey key, RemnantPlan.Extent extent) {
    StateKey state = SnapshotReader.stateKey(rules, key);
    try {
      switch (extent) {
        case OWN_STATES -> states.clearAwayOwn(state);
        case EVERYTHING -> states.clearAway(state);
      }
      return new Outcome.Done();
    } catch (KubeFailure e) {
      if (e.kind() == Kind.CONFLICT) {
        return new Outcome.Outdated();
      }
      throw e;
    }
  }

  private Outcome finalizers(
      ObjectKey key, KubeClient workspace, KubeObject source, List<String> finalizers) {
    ownWrites.wroteSource(
        key,
        workspace.patch(
            rules.source().resource(),
            source.namespace(),
            source.name(),
            Map.of(
                "metadata",
                Map.of("finalizers", finalizers, "resourceVersion", source.resourceVersion()))));
    return new Outcome.Done();
  }

  /**
   * A copy whose making was not answered, or that an earlier process made at its end, may be on its
   * way into the cache; released now, its source would leave it behind.
   */
  private Outcome releaseSource(
      ObjectKey key, SyncAction.ReleaseSource release, KubeClient workspace) {
    if (!ownWrites.knowsEnd(key)
        && SnapshotReader.isStored(service, rules.copy().resource(), key)) {
      return new Outcome.Outdated();
    }
    states.drop(SnapshotReader.stateKey(rules, key));
    finalizers(key, workspace, release.source(), release.finalizers());
    release.emptied().ifPresent(this::removeNamespace);
    return new Outcome.Done();
  }

  private Outcome createNamespace(String name) {
    try {
      service.create(NAMESPACES, namespace(name));
      ownWrites.createdNamespace(name);
      return new Outcome.Done();
    } catch (KubeFailure e) {
      if (e.kind() == Kind.ALREADY_EXISTS) {
        return new Outcome.Outdated();
      }
      throw e;
    }
  }

  private KubeObject namespace(String name) {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Namespace",
            "metadata",
            Map.of("name", name, "labels", Map.of(SyncMarks.NAMESPACE_OF, rules.agentName()))));
  }

  private Outcome createCopy(
      ObjectKey key,
      SyncAction.CreateCopy create,
      KubeClient workspace,
      Optional<KubeObject> justWritten) {
    Optional<KubeObject> source =
        justWritten.or(
            () -> workspace.find(rules.source().resource(), key.namespace(), key.name()));
    if (source.isEmpty()
        || source.get().deleting()
        || !source.get().uid().equals(create.ifSourceUid())
        || !source.get().hasFinalizer(SyncMarks.FINALIZER)) {
      return new Outcome.Outdated();
    }
    KubeObject desired = create.desired();
    ownWrites.writes(key);
    try {
      ownWrites.wrote(
          key, states.create(SnapshotReader.stateKey(rules, key), desired, create.lastKnown()));
      return new Outcome.Done();
    } catch (KubeFailure e) {
      if (e.kind() == Kind.ALREADY_EXISTS) {
        return new Outcome.NameTaken(new CopyPlace.At(desired.namespace(), desired.name()));
      }
      throw e;
    }
  }

  private Outcome adoptCopy(
      ObjectKey key,
      KubeObject stranger,
      Map<String, Object> patch,
      Map<String, Object> lastKnown) {
    ownWrites.wrote(
        key, states.adopt(SnapshotReader.stateKey(rules, key), stranger, patch, lastKnown));
    return new Outcome.Done();
  }

  private Outcome patchCopy(
      ObjectKey key, KubeObject copy, Map<String, Object> patch, Map<String, Object> lastKnown) {
    ownWrites.wrote(key, states.patch(SnapshotReader.stateKey(rules, key), copy, patch, lastKnown));
    return new Outcome.Done();
  }

  private Outcome releaseCopy(ObjectKey key, KubeObject copy, Map<String, Object> patch) {
    service.patch(
        rules.copy().resource(), copy.namespace(), copy.name(), ConditionalPatch.on(copy, patch));
    return new Outcome.Done();
  }

  private Outcome deleteCopy(ObjectKey key, KubeObject copy) {
    ownWrites.deletes(key, copy.uid());
    service.delete(
        rules.copy().resource(),
        copy.namespace(),
        copy.name(),
        new DeleteCondition.Unchanged(copy.uid(), copy.resourceVersion()));
    return new Outcome.Done();
  }

  private void removeNamespace(KubeObject namespace) {
    service.delete(
        NAMESPACES,
        "",
        namespace.name(),
        new DeleteCondition.Unchanged(namespace.uid(), namespace.resourceVersion()));
  }
}
