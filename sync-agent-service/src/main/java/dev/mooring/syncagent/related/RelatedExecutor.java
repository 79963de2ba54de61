package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.content.RewriteBackoff;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.OriginalFinalizers;
import dev.mooring.syncagent.related.decide.OtherOwners;
import dev.mooring.syncagent.related.decide.Ownership;
import dev.mooring.syncagent.related.decide.Progress;
import dev.mooring.syncagent.related.decide.RelatedAction;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Executes the actions for one primary, each as one write with its precondition, on the side where
 * it belongs. Records are written and deleted once what they record is known to be so.
 *
 * @param primary in kcp, as it was read
 * @param workspace of the primary
 */
record RelatedExecutor(RelatedSync sync, KubeObject primary, KubeClient workspace) {
  private static final int INTERNAL_ERROR = 500;

  private record Rewrite(ObjectRef copy, Object content) {}

  /** Whether it was written; if not, what the plan was made on has changed. */
  boolean executeAction(RelatedAction action) {
    try {
      boolean written = write(action);
      if (written) {
        rewrite(action).ifPresent(done -> sync.rewrites.wrote(done.copy(), done.content()));
      }
      return written;
    } catch (KubeFailure e) {
      if (e.kind() == Kind.ALREADY_EXISTS) {
        requireShown(action);
        return false;
      }
      if (e.kind() == Kind.NOT_FOUND && action instanceof RelatedAction.Write write) {
        sync.pendingCopies.forget(write.at());
      }
      if (e.kind() == Kind.CONFLICT || e.kind() == Kind.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  private boolean write(RelatedAction action) {
    return switch (action) {
      case RelatedAction.AddFinalizer(var at, var original, var finalizers) ->
          patch(at, original, Map.of("metadata", Map.of("finalizers", finalizers)));
      case RelatedAction.RemoveFinalizer(var at, var original, var finalizers) ->
          patch(at, original, Map.of("metadata", Map.of("finalizers", finalizers)));
      case RelatedAction.CreateNamespace(var copy) -> createNamespace(copy);
      case RelatedAction.CreateCopy(var at, var desired) -> create(at, desired);
      case RelatedAction.PatchCopy(var at, var copy, var patch, var recorded) -> {
        patch(at, copy, patch);
        yield store(recorded);
      }
      case RelatedAction.WriteStatus(var at, var desired) -> {
        on(at.side()).updateStatus(at.type(), desired);
        yield true;
      }
      case RelatedAction.DeleteCopy delete -> delete(delete);
      case RelatedAction.StoreRecord(var record) -> store(record);
      case RelatedAction.AnnounceHandover(var record) -> {
        sync.shared.records.announceHandover(record);
        yield true;
      }
      case RelatedAction.Disown(var record) -> disown(record);
      case RelatedAction.DeleteRecord(var record, var emptied) -> delete(record, emptied);
      case RelatedAction.AnnotatePrimary(var annotations) -> annotate(annotations);
    };
  }

  /**
   * What has to come before the action: a copy on the service cluster goes after the primary's, so
   * not while the primary, or its Namespace with all that is in it, is being deleted. Asked of kcp,
   * since one cache may show less of a Namespace's deletion than another.
   */
  Optional<Progress> precededBy(RelatedAction action) {
    return action instanceof RelatedAction.DeleteCopy(var at, var _, var _, var _)
            && at.side() == Side.SERVICE
            && (isGoing() || isNamespaceGoing())
        ? Optional.of(new Progress.Waiting())
        : Optional.empty();
  }

  private boolean isGoing() {
    return workspace
        .find(sync.rules.primaryType(), primary.namespace(), primary.name())
        .map(KubeObject::deleting)
        .orElse(true);
  }

  private boolean isNamespaceGoing() {
    try {
      return !primary.namespace().isEmpty()
          && workspace
              .find(Clusters.NAMESPACES, "", primary.namespace())
              .filter(KubeObject::deleting)
              .isPresent();
    } catch (KubeFailure e) {
      if (e.kind() == Kind.FORBIDDEN || e.kind() == Kind.NOT_SERVED) {
        return false; // the consumer hides Namespaces
      }
      throw e;
    }
  }

  /** Why the copy must not be written yet: the same write was undone again and again. */
  Optional<Progress> undone(RelatedAction action) {
    return rewrite(action).flatMap(this::undone);
  }

  private Optional<Progress> undone(Rewrite write) {
    Duration delay = sync.rewrites.delay(write.copy(), write.content());
    return delay.isZero()
        ? Optional.empty()
        : Optional.of(
            new Progress.Refused(
                RewriteBackoff.REASON,
                ("%s \"%s\", a copy of a related object, is removed or changed whenever it is"
                        + " written, so that it is written ever more rarely. Find the controller or"
                        + " webhook that does that, or do not relate the object.")
                    .formatted(write.copy().type().qualified(), write.copy().namespacedName()),
                delay));
  }

  /** What the action writes to a copy; empty if it writes none. */
  private static Optional<Rewrite> rewrite(RelatedAction action) {
    return switch (action) {
      case RelatedAction.CreateCopy(var at, var desired) ->
          Optional.of(new Rewrite(at, SyncedContent.of(desired)));
      case RelatedAction.PatchCopy(var at, var _, var patch, var recorded) when !patch.isEmpty() ->
          Optional.of(new Rewrite(at, recorded.lastKnown()));
      default -> Optional.empty();
    };
  }

  /** Whether a server refuses this very request, rather than failing itself. */
  static boolean isRefusal(KubeFailure failure) {
    return switch (failure.kind()) {
      case INVALID, FORBIDDEN, TOO_LARGE, NOT_SERVED -> true;
      // A webhook that does not answer.
      case UNAVAILABLE -> failure.code() == INTERNAL_ERROR;
      case NOT_FOUND, ALREADY_EXISTS, CONFLICT, UNAUTHORIZED, GONE -> false;
    };
  }

  /**
   * An object in kcp that has the name of a new one, and is not shown, is hidden by the selector of
   * an accepted claim: no watch will ever show it.
   */
  private void requireShown(RelatedAction action) {
    switch (action) {
      case RelatedAction.CreateCopy(var at, var _) when at.side() == Side.KCP ->
          requireShown(at.type(), at.namespace(), at.name());
      case RelatedAction.CreateNamespace(var copy) when copy.side() == Side.KCP ->
          requireShown(Clusters.NAMESPACES, "", copy.namespace());
      default -> {}
    }
  }

  private void requireShown(ResourceType type, String namespace, String name) {
    if (workspace.find(type, namespace, name).isEmpty()) {
      throw new KubeFailure(
              Kind.FORBIDDEN,
              409,
              "AlreadyExists",
              ("%1$s: 409 %2$s \"%3$s\" is there, but the selector of the accepted permission"
                      + " claim for %2$s hides it. Rename or remove it, or give it labels that"
                      + " match.")
                  .formatted(
                      workspace.url(),
                      type.qualified(),
                      namespace.isEmpty() ? name : namespace + "/" + name),
              null,
              null)
          .askedAt(workspace.url());
    }
  }

  private boolean annotate(Map<String, Object> annotations) {
    workspace.patch(
        sync.rules.primaryType(),
        primary.namespace(),
        primary.name(),
        ConditionalPatch.on(primary, Map.of("metadata", Map.of("annotations", annotations))));
    return true;
  }

  /** The agent's label is set on the service cluster only: consumers see no machinery. */
  private boolean createNamespace(ObjectRef copy) {
    KubeObject namespace =
        switch (copy.side()) {
          case SERVICE ->
              sync.rules
                  .namespaceMetadata()
                  .namespace(
                      copy.namespace(),
                      sync.shared.records.agentName(),
                      primary.logicalCluster().orElseThrow());
          case KCP -> KubeObject.of(Clusters.NAMESPACES, "Namespace", "", copy.namespace());
        };
    on(copy.side()).create(Clusters.NAMESPACES, namespace);
    return true;
  }

  /** False, with nothing written, if the Namespace is being removed. */
  private boolean create(ObjectRef at, KubeObject desired) {
    Optional<KubeObject> created =
        switch (at.side()) {
          case SERVICE ->
              sync.shared.namespaces.inside(at.namespace(), () -> createNow(at, desired));
          case KCP -> Optional.of(createNow(at, desired));
        };
    return created.isPresent();
  }

  private KubeObject createNow(ObjectRef at, KubeObject desired) {
    sync.pendingCopies.begin(at);
    try {
      KubeObject copy = on(at.side()).create(at.type(), desired);
      sync.pendingCopies.created(at, copy, SyncedContent.of(desired));
      return copy;
    } catch (KubeFailure e) {
      sync.pendingCopies.forget(at);
      throw e;
    }
  }

  private boolean delete(RelatedAction.DeleteCopy delete) {
    ObjectRef at = delete.at();
    KubeObject copy = delete.copy();
    on(at.side())
        .delete(
            at.type(),
            copy.namespace(),
            copy.name(),
            new DeleteCondition.Unchanged(
                copy.uid(), copy.resourceVersion(), delete.propagation().text()));
    sync.pendingCopies.deleted(at, copy);
    // A watch may never show an object that was created and deleted before it got there.
    return sync.pendingCopies.find(at).isEmpty();
  }

  private boolean patch(ObjectRef at, KubeObject object, Map<String, Object> patch) {
    on(at.side())
        .patch(at.type(), object.namespace(), object.name(), ConditionalPatch.on(object, patch));
    return true;
  }

  private KubeClient on(Side side) {
    return switch (side) {
      case SERVICE -> sync.shared.service;
      case KCP -> workspace;
    };
  }

  private boolean store(RelatedRecord record) {
    if (isUnseenCopy(record) || formerHasFinalizer(record)) {
      return false;
    }
    sync.shared.records.put(record);
    sync.pendingCopies.recorded(record.copy());
    return true;
  }

  private boolean disown(RelatedRecord record) {
    if (originalHasFinalizer(record)) {
      return false;
    }
    drop(record);
    return true;
  }

  private boolean delete(RelatedRecord record, Optional<KubeObject> emptied) {
    if (isUnseenCopy(record) || originalHasFinalizer(record)) {
      return false;
    }
    // Before the record, which leads here again if it fails.
    emptied.ifPresent(namespace ->
        sync.shared.namespaces.remove(
            namespace,
            name -> sync.shared.records.holdsOtherCopies(name, record),
            name -> sync.isClosed() || sync.shared.records.holdsCopies(name)));
    drop(record);
    return true;
  }

  private void drop(RelatedRecord record) {
    sync.shared.records.drop(record);
    sync.pendingCopies.recordDeleted(record.copy());
    dropEarlier(record);
  }

  /**
   * Whether the copy exists and the cache does not show it yet: the answer to its creation may have
   * been lost. The server is asked only where a copy was recorded before.
   */
  private boolean isUnseenCopy(RelatedRecord record) {
    ObjectRef copy = record.copy();
    return record.ownership() == Ownership.INTENDED
        && sync.shared.records.find(record).isPresent()
        && sync.pendingCopies.find(copy).isEmpty()
        && on(copy.side()).find(copy.type(), copy.namespace(), copy.name()).isPresent();
  }

  private boolean formerHasFinalizer(RelatedRecord record) {
    return sync.shared
        .records
        .find(record)
        .filter(known -> !known.original().equals(record.original()))
        .filter(known -> originalHasFinalizer(known))
        .isPresent();
  }

  /**
   * Whether the original has the agent's finalizer, which the cache may not show yet: without a
   * record of the original the finalizer would stay forever.
   */
  private boolean originalHasFinalizer(RelatedRecord record) {
    ObjectRef original = record.original();
    if (original.side() != Side.KCP
        || sync.shared.otherOwnersOfOriginal(record.owner(), original) != OtherOwners.NONE) {
      return false;
    }
    try {
      return PermissionClaims.findNow(workspace, original)
          .filter(OriginalFinalizers.of(sync.shared.records.agentName())::remainOn)
          .isPresent();
    } catch (KubeFailure e) {
      // Of a deleted primary, the workspace may be deleted; otherwise the claim is rejected.
      if (e.kind() == Kind.FORBIDDEN && primary.uid().isEmpty()) {
        return false; // an object that may not be read cannot be patched either
      }
      throw e;
    }
  }

  /** The next object of the copy's name is not the one that an earlier agent created. */
  private void dropEarlier(RelatedRecord record) {
    if (primary.deleting()) {
      return; // the state is deleted with the primary
    }
    ObjectRef original = record.original();
    sync.shared.earlier.drop(
        new StateKey(primary.apiVersion(), primary.kind(), record.owner().primary()),
        new StateKey(
            original.type().apiVersion(),
            sync.shared.caches.type(original.side(), original.type(), workspace).kind(),
            original.key()));
  }
}
