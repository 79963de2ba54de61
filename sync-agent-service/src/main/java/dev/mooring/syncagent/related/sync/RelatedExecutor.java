package dev.mooring.syncagent.related.sync;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.content.StateKey;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.RelatedRegistry;
import dev.mooring.syncagent.related.record.PendingCopies;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.Ownership;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.share.PermissionClaims;
import dev.mooring.syncagent.related.share.decide.OtherOwners;
import dev.mooring.syncagent.related.sync.decide.OriginalFinalizers;
import dev.mooring.syncagent.related.sync.decide.RelatedAction;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Turns each action into one write with its precondition, on the side where it belongs. */
public final class RelatedExecutor {
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final KubeClient service;
  private final RelatedRegistry registry;
  private final PendingCopies pendingCopies;
  private final ResourceType primaryType;
  private final BooleanSupplier closed;

  /**
   * @param closed whether nothing is synced by the primaries' rules any more
   */
  public RelatedExecutor(
      RelatedRegistry registry,
      PendingCopies pendingCopies,
      ResourceType primaryType,
      BooleanSupplier closed) {
    this.service = registry.service();
    this.registry = registry;
    this.pendingCopies = pendingCopies;
    this.primaryType = primaryType;
    this.closed = closed;
  }

  /** How an action went. */
  public enum Outcome {
    DONE,
    /** Something else changed first: observe again. */
    OUTDATED
  }

  /**
   * @param primary in kcp, as it was seen
   * @param workspace of the primary
   * @throws KubeFailure if a server refuses or does not answer
   */
  public Outcome execute(KubeObject primary, RelatedAction action, KubeClient workspace) {
    try {
      switch (action) {
        case RelatedAction.AddFinalizer(var at, var original, var finalizers) ->
            finalizers(at, original, finalizers, workspace);
        case RelatedAction.RemoveFinalizer(var at, var original, var finalizers) ->
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
          if (pendingCopies.find(at).isPresent()) {
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
          pendingCopies.recorded(record.copy());
        }
        case RelatedAction.AnnounceHandover(var record) ->
            registry.records().announceHandover(record);
        case RelatedAction.Disown(var record) -> {
          if (isStillHeld(primary, record, workspace)) {
            return Outcome.OUTDATED;
          }
          registry.records().drop(record);
          pendingCopies.dropped(record.copy());
          forgetEarlier(primary, record, workspace);
        }
        case RelatedAction.DeleteRecord(var record, var emptied) -> {
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
          pendingCopies.dropped(record.copy());
          forgetEarlier(primary, record, workspace);
        }
        case RelatedAction.AnnotatePrimary(var annotations) ->
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
          requireShown(at.type(), at.namespace(), at.name(), workspace);
      case RelatedAction.CreateNamespace(var copy) when copy.side() == Side.KCP ->
          requireShown(NAMESPACES, "", copy.namespace(), workspace);
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
      ObjectRef at, KubeObject original, List<String> finalizers, KubeClient workspace) {
    patch(at, original, Map.of("metadata", Map.of("finalizers", finalizers)), workspace);
  }

  /** Whose it is is said on the service cluster only: consumers see no machinery. */
  private void createNamespace(ObjectRef copy, KubeClient workspace) {
    String name = copy.namespace();
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
        && pendingCopies.find(record.copy()).isEmpty()
        && on(record.copy().side(), workspace)
            .find(record.copy().type(), record.copy().namespace(), record.copy().name())
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
    ObjectRef original = record.original();
    if (original.side() != Side.KCP
        || registry.otherOwnersOfOriginal(record.owner(), original) != OtherOwners.NONE) {
      return false;
    }
    try {
      return PermissionClaims.findNow(workspace, original)
          .filter(OriginalFinalizers.of(registry.agentName())::remainOn)
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
    ObjectRef original = record.original();
    registry
        .earlier()
        .drop(
            new StateKey(primary.apiVersion(), primary.kind(), record.owner().primary()),
            new StateKey(
                original.type().apiVersion(),
                registry.facts(original.side(), original.type(), workspace).kind(),
                original.key()));
  }

  /** False, with nothing done, if the Namespace is being removed. */
  private boolean create(ObjectRef at, KubeObject desired, KubeClient workspace) {
    return switch (at.side()) {
      case SERVICE ->
          registry
              .namespaces()
              .inside(at.namespace(), () -> make(at, desired, workspace))
              .isPresent();
      case KCP -> {
        make(at, desired, workspace);
        yield true;
      }
    };
  }

  private KubeObject make(ObjectRef at, KubeObject desired, KubeClient workspace) {
    pendingCopies.making(at);
    try {
      KubeObject copy = on(at.side(), workspace).create(at.type(), desired);
      pendingCopies.made(at, copy, SyncedContent.of(desired));
      return copy;
    } catch (KubeFailure e) {
      pendingCopies.notMade(at);
      throw e;
    }
  }

  private void delete(ObjectRef at, KubeObject copy, KubeClient workspace) {
    try {
      on(at.side(), workspace)
          .delete(
              at.type(),
              copy.namespace(),
              copy.name(),
              new DeleteCondition.Unchanged(copy.uid(), copy.resourceVersion()));
      pendingCopies.deleted(at, copy);
    } catch (KubeFailure e) {
      if (e.kind() == Kind.NOT_FOUND) {
        pendingCopies.notMade(at);
      }
      throw e;
    }
  }

  private void patch(
      ObjectRef at, KubeObject object, Map<String, Object> patch, KubeClient workspace) {
    try {
      on(at.side(), workspace)
          .patch(at.type(), object.namespace(), object.name(), ConditionalPatch.on(object, patch));
    } catch (KubeFailure e) {
      if (e.kind() == Kind.NOT_FOUND) {
        pendingCopies.notMade(at);
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
