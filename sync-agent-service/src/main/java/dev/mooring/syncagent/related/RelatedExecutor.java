package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.content.StateKey;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.decide.OriginalHold;
import dev.mooring.syncagent.related.decide.RelatedAction;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.RelatedRecord.Ownership;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Others;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Turns each action into one write with its precondition, on the side where it belongs. */
final class RelatedExecutor {
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final KubeClient service;
  private final RelatedRegistry registry;
  private final OwnCopies ownCopies;
  private final ResourceType primaryType;
  private final BooleanSupplier closed;

  /**
   * @param closed whether nothing is synced by the primaries' rules any more
   */
  RelatedExecutor(
      RelatedRegistry registry,
      OwnCopies ownCopies,
      ResourceType primaryType,
      BooleanSupplier closed) {
    this.service = registry.service();
    this.registry = registry;
    this.ownCopies = ownCopies;
    this.primaryType = primaryType;
    this.closed = closed;
  }

  /** How an action went. */
  enum Outcome {
    DONE,
    /** Something else changed first: observe again. */
    OUTDATED
  }

  /**
   * @param primary in kcp, as it was seen
   * @param workspace of the primary
   * @throws KubeFailure if a server refuses or does not answer
   */
  Outcome execute(KubeObject primary, RelatedAction action, KubeClient workspace) {
    try {
      switch (action) {
        case RelatedAction.HoldOriginal(var at, var original, var finalizers) ->
            finalizers(at, original, finalizers, workspace);
        case RelatedAction.ReleaseOriginal(var at, var original, var finalizers) ->
            finalizers(at, original, finalizers, workspace);
        case RelatedAction.CreateNamespace(var copy) -> createNamespace(copy, workspace);
        case RelatedAction.CreateCopy(var at, var desired) -> {
          if (!create(at, desired, workspace)) {
            return Outcome.OUTDATED;
          }
        }
        case RelatedAction.PatchCopy(var at, var copy, var patch) ->
            patch(at, copy, patch, workspace);
        case RelatedAction.WriteStatus(var at, var desired) ->
            on(at.side(), workspace).updateStatus(at.type(), desired);
        case RelatedAction.DeleteCopy(var at, var copy, var _) -> {
          delete(at, copy, workspace);
          if (ownCopies.find(at).isPresent()) {
            // What came and went before the watch showed it, it may never tell of.
            return Outcome.OUTDATED;
          }
        }
        case RelatedAction.StoreRecord(var record) -> {
          if (record.ownership() == Ownership.INTENDED && isThere(record, workspace)
              || formerIsStillHeld(primary, record, workspace)) {
            return Outcome.OUTDATED;
          }
          registry.records().put(record);
          ownCopies.recorded(record.copy());
        }
        case RelatedAction.LetGo(var record) -> registry.records().letGo(record);
        case RelatedAction.Forget(var record) -> {
          if (isStillHeld(primary, record, workspace)) {
            return Outcome.OUTDATED;
          }
          registry.records().drop(record);
          ownCopies.dropped(record.copy());
          forgetEarlier(primary, record, workspace);
        }
        case RelatedAction.DropRecord(var record, var emptied) -> {
          if (record.ownership() == Ownership.INTENDED && isThere(record, workspace)
              || isStillHeld(primary, record, workspace)) {
            return Outcome.OUTDATED;
          }
          // Before the record, which brings this about again if it fails.
          emptied.ifPresent(namespace ->
              registry
                  .namespaces()
                  .remove(
                      namespace,
                      name -> registry.holdsOtherCopies(name, record),
                      name -> closed.getAsBoolean() || registry.holdsCopies(name)));
          registry.records().drop(record);
          ownCopies.dropped(record.copy());
          forgetEarlier(primary, record, workspace);
        }
        case RelatedAction.Note(var annotations) ->
            workspace.patch(
                primaryType,
                primary.namespace(),
                primary.name(),
                ConditionalPatch.on(
                    primary, Map.of("metadata", Map.of("annotations", annotations))));
      }
      return Outcome.DONE;
    } catch (KubeFailure e) {
      if (e.kind() == Kind.ALREADY_EXISTS) {
        requireShown(action, workspace);
        return Outcome.OUTDATED;
      }
      if (e.kind() == Kind.CONFLICT || e.kind() == Kind.NOT_FOUND) {
        return Outcome.OUTDATED;
      }
      throw e;
    }
  }

  /**
   * What has the name of a new object in kcp, and is not shown, is hidden by the selector of an
   * accepted claim: no watch will ever tell of it.
   */
  private static void requireShown(RelatedAction action, KubeClient workspace) {
    switch (action) {
      case RelatedAction.CreateCopy(var at, var _) when at.side() == Side.KCP ->
          requireShown(at.type(), at.place().namespace(), at.place().name(), workspace);
      case RelatedAction.CreateNamespace(var copy) when copy.side() == Side.KCP ->
          requireShown(NAMESPACES, "", copy.place().namespace(), workspace);
      default -> {}
    }
  }

  private static void requireShown(
      ResourceType type, String namespace, String name, KubeClient workspace) {
    if (workspace.find(type, namespace, name).isEmpty()) {
      throw new KubeFailure(
              Kind.FORBIDDEN,
              409,
              "AlreadyExists",
              workspace.url()
                  + ": 409 "
                  + type.qualified()
                  + " \""
                  + (namespace.isEmpty() ? name : namespace + "/" + name)
                  + "\" is there, but the selector of the accepted permission claim for "
                  + type.qualified()
                  + " hides it. Rename or remove it, or give it labels that match.",
              null,
              null)
          .askedAt(workspace.url());
    }
  }

  private void finalizers(
      Spot at, KubeObject original, List<String> finalizers, KubeClient workspace) {
    patch(at, original, Map.of("metadata", Map.of("finalizers", finalizers)), workspace);
  }

  /** Whose it is is said on the service cluster only: consumers see no machinery. */
  private void createNamespace(Spot copy, KubeClient workspace) {
    String name = copy.place().namespace();
    Map<String, Object> metadata =
        copy.side() == Side.SERVICE
            ? Map.of("name", name, "labels", Map.of(SyncMarks.NAMESPACE_OF, registry.agentName()))
            : Map.of("name", name);
    on(copy.side(), workspace)
        .create(
            NAMESPACES,
            KubeObject.of(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", metadata)));
  }

  /**
   * Whether there is a copy that the cache does not show yet: the answer to its making may have
   * been lost. Asked only where there was such an intention before.
   */
  private boolean isThere(RelatedRecord record, KubeClient workspace) {
    return registry.records().intends(record)
        && ownCopies.find(record.copy()).isEmpty()
        && on(record.copy().side(), workspace)
            .find(
                record.copy().type(),
                record.copy().place().namespace(),
                record.copy().place().name())
            .isPresent();
  }

  private boolean formerIsStillHeld(
      KubeObject primary, RelatedRecord record, KubeClient workspace) {
    return registry
        .records()
        .find(record)
        .filter(known -> !known.original().equals(record.original()))
        .filter(known -> isStillHeld(primary, known, workspace))
        .isPresent();
  }

  /**
   * Whether the original is held, which the cache may not show yet: once no record names it, nobody
   * would ever let go of it.
   */
  private boolean isStillHeld(KubeObject primary, RelatedRecord record, KubeClient workspace) {
    Spot original = record.original();
    if (original.side() != Side.KCP
        || registry.othersOfOriginal(record.holder(), original) != Others.NONE) {
      return false;
    }
    try {
      return RelatedClaims.findNow(workspace, original)
          .filter(OriginalHold.of(registry.agentName())::remainsOn)
          .isPresent();
    } catch (KubeFailure e) {
      // With the primary, the workspace may have gone; beside one, it is the claim that is
      // rejected.
      if (e.kind() == Kind.FORBIDDEN && primary.uid().isEmpty()) {
        return false; // what may not be seen any more cannot be let go of either
      }
      throw e;
    }
  }

  /** What takes the copy's name next is not what an earlier agent made. */
  private void forgetEarlier(KubeObject primary, RelatedRecord record, KubeClient workspace) {
    if (primary.deleting()) {
      return; // all of it goes with the primary
    }
    Spot original = record.original();
    registry
        .earlier()
        .drop(
            new StateKey(primary.apiVersion(), primary.kind(), record.holder().primary()),
            new StateKey(
                original.type().apiVersion(),
                registry.facts(original.side(), original.type(), workspace).kind(),
                original.key()));
  }

  /** False, with nothing done, if the Namespace is being removed. */
  private boolean create(Spot at, KubeObject desired, KubeClient workspace) {
    return switch (at.side()) {
      case SERVICE ->
          registry
              .namespaces()
              .inside(at.place().namespace(), () -> make(at, desired, workspace))
              .isPresent();
      case KCP -> {
        make(at, desired, workspace);
        yield true;
      }
    };
  }

  private KubeObject make(Spot at, KubeObject desired, KubeClient workspace) {
    ownCopies.making(at);
    try {
      KubeObject copy = on(at.side(), workspace).create(at.type(), desired);
      ownCopies.made(at, copy, SyncedContent.of(desired));
      return copy;
    } catch (KubeFailure e) {
      ownCopies.notMade(at);
      throw e;
    }
  }

  private void delete(Spot at, KubeObject copy, KubeClient workspace) {
    try {
      on(at.side(), workspace)
          .delete(
              at.type(),
              copy.namespace(),
              copy.name(),
              new DeleteCondition.Unchanged(copy.uid(), copy.resourceVersion()));
      ownCopies.deleted(at, copy);
    } catch (KubeFailure e) {
      if (e.kind() == Kind.NOT_FOUND) {
        ownCopies.notMade(at);
      }
      throw e;
    }
  }

  private void patch(Spot at, KubeObject object, Map<String, Object> patch, KubeClient workspace) {
    try {
      on(at.side(), workspace)
          .patch(at.type(), object.namespace(), object.name(), ConditionalPatch.on(object, patch));
    } catch (KubeFailure e) {
      if (e.kind() == Kind.NOT_FOUND) {
        ownCopies.notMade(at);
      }
      throw e;
    }
  }

  private KubeClient on(Side side, KubeClient workspace) {
    return switch (side) {
      case SERVICE -> service;
      case KCP -> workspace;
    };
  }
}
