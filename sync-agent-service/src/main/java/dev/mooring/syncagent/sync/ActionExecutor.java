package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.clusters.NamespaceWriter;
import dev.mooring.syncagent.content.LastKnownStates;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.decide.CopyName;
import dev.mooring.syncagent.sync.decide.OrphanStatePlanner;
import dev.mooring.syncagent.sync.decide.SyncAction;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Turns each action into one write with its precondition. A precondition that no longer holds is
 * not a failure: the caches are behind, and what changed is on its way.
 *
 * @param occupied whether a Namespace of the service cluster is known to hold anything of the agent
 * @param occupiedLater the same, also once nothing is synced by these rules any more
 */
record ActionExecutor(
    SyncRules rules,
    KubeClient service,
    LastKnownStates states,
    PrimaryWrites writes,
    NamespaceWriter namespaces,
    Predicate<String> occupied,
    Predicate<String> occupiedLater) {
  /** How an action went. */
  sealed interface Outcome {
    record Done() implements Outcome {}

    /** Something else changed first: observe again. */
    record Conflict() implements Outcome {}

    /** The copy's name is in use. */
    record NameTaken(CopyName.At place) implements Outcome {}
  }

  /**
   * @param workspace of the source
   * @param justWritten the source as this very pass wrote it: then its server has said a moment ago
   *     how it is, and need not be asked before a copy is made
   * @throws KubeFailure if the server refuses or does not answer
   */
  Outcome execute(
      ObjectKey key, SyncAction action, KubeClient workspace, Optional<KubeObject> justWritten) {
    return unlessConflict(
        key,
        () -> {
          switch (action) {
            case SyncAction.AddFinalizer(var source, var finalizers) ->
                finalizers(key, workspace, source, finalizers);
            case SyncAction.RemoveFinalizer(var source, var finalizers, var emptied) -> {
              states.drop(SnapshotReader.stateKey(rules, key));
              emptied.ifPresent(namespace -> namespaces.remove(namespace, occupied, occupiedLater));
              finalizers(key, workspace, source, finalizers);
            }
            case SyncAction.CreateNamespace(var name) -> {
              return createNamespace(key, name);
            }
            case SyncAction.CreateCopy create -> {
              return createCopy(key, create, workspace, justWritten);
            }
            case SyncAction.AdoptCopy adopt -> {
              return adoptCopy(key, adopt);
            }
            case SyncAction.PatchCopy(var copy, var patch, var lastKnown) ->
                writes.wroteCopy(
                    key, states.patch(SnapshotReader.stateKey(rules, key), copy, patch, lastKnown));
            case SyncAction.ReleaseCopy(var copy, var patch) ->
                service.patch(
                    rules.copy().resource(),
                    copy.namespace(),
                    copy.name(),
                    ConditionalPatch.on(copy, patch));
            case SyncAction.DeleteCopy delete -> deleteCopy(key, delete);
            case SyncAction.PatchSourceStatus(var desired) ->
                writes.wroteSource(key, workspace.updateStatus(rules.source().resource(), desired));
          }
          return new Outcome.Done();
        });
  }

  /**
   * Whether a copy whose creation was not answered is on its way into the cache: a source that is
   * released, or whose related objects are removed now would leave it behind.
   */
  boolean hasUnseenCopy(ObjectKey key) {
    boolean stored = !writes.knowsEnd(key) && SnapshotReader.isStored(service, rules, key);
    if (!stored) {
      writes.foundNoCopy(key);
    }
    return stored;
  }

  private Outcome unlessConflict(ObjectKey key, Supplier<Outcome> requests) {
    try {
      return requests.get();
    } catch (KubeFailure e) {
      if (e.kind() == Kind.CONFLICT || e.kind() == Kind.NOT_FOUND) {
        // What we wrote last is not what is there: the watch is to be believed again.
        writes.forget(key);
        return new Outcome.Conflict();
      }
      throw e;
    }
  }

  /** After the end of source and copy; false if something of it has changed since it was seen. */
  boolean clearStates(ObjectKey key, OrphanStatePlanner.Plan plan) {
    StateKey state = SnapshotReader.stateKey(rules, key);
    try {
      if (plan == OrphanStatePlanner.Plan.CLEAR_EVERYTHING) {
        states.clearAway(state);
      } else {
        states.clearAwayOwn(state);
      }
      return true;
    } catch (KubeFailure e) {
      if (e.kind() == Kind.CONFLICT) {
        return false;
      }
      throw e;
    }
  }

  private void finalizers(
      ObjectKey key, KubeClient workspace, KubeObject source, List<String> finalizers) {
    writes.wroteSource(
        key,
        workspace.patch(
            rules.source().resource(),
            source.namespace(),
            source.name(),
            ConditionalPatch.on(source, Map.of("metadata", Map.of("finalizers", finalizers)))));
  }

  private Outcome createNamespace(ObjectKey key, String name) {
    try {
      service.create(
          Clusters.NAMESPACES,
          rules.naming().namespaceMetadata().namespace(name, rules.agentName(), key.cluster()));
      writes.createdNamespace(name);
      return new Outcome.Done();
    } catch (KubeFailure e) {
      if (e.kind() == Kind.ALREADY_EXISTS) {
        return new Outcome.Conflict();
      }
      throw e;
    }
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
      return new Outcome.Conflict();
    }
    KubeObject desired = create.desired();
    try {
      return namespaces
          .inside(desired.namespace(), () -> write(key, create))
          .orElseGet(Outcome.Conflict::new);
    } catch (KubeFailure e) {
      if (e.kind() == Kind.ALREADY_EXISTS) {
        return new Outcome.NameTaken(new CopyName.At(desired.namespace(), desired.name()));
      }
      if (e.kind() == Kind.FORBIDDEN && isGoing(desired.namespace())) {
        writes.forgetNamespace(desired.namespace());
        return new Outcome.Conflict();
      }
      if (e.kind() == Kind.NOT_FOUND) {
        // No watch reports a Namespace that came and went while there was no watch.
        writes.forgetNamespace(desired.namespace());
      }
      throw e;
    }
  }

  private Outcome write(ObjectKey key, SyncAction.CreateCopy create) {
    writes.createsCopy(key);
    writes.wroteCopy(
        key,
        states.create(SnapshotReader.stateKey(rules, key), create.desired(), create.lastKnown()));
    return new Outcome.Done();
  }

  /** A server refuses creations in a terminating Namespace. */
  private boolean isGoing(String namespace) {
    return !namespace.isEmpty()
        && service.find(Clusters.NAMESPACES, "", namespace).map(KubeObject::deleting).orElse(true);
  }

  private Outcome adoptCopy(ObjectKey key, SyncAction.AdoptCopy adopt) {
    StateKey state = SnapshotReader.stateKey(rules, key);
    return namespaces
        .<Outcome>inside(
            adopt.stranger().namespace(),
            () -> {
              writes.wroteCopy(
                  key, states.adopt(state, adopt.stranger(), adopt.patch(), adopt.lastKnown()));
              return new Outcome.Done();
            })
        .orElseGet(Outcome.Conflict::new);
  }

  private void deleteCopy(ObjectKey key, SyncAction.DeleteCopy delete) {
    KubeObject copy = delete.copy();
    writes.deletesCopy(key, copy.uid());
    service.delete(
        rules.copy().resource(),
        copy.namespace(),
        copy.name(),
        new DeleteCondition.Unchanged(
            copy.uid(), copy.resourceVersion(), delete.propagation().text()));
  }
}
