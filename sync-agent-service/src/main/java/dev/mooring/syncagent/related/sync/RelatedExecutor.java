package dev.mooring.syncagent.related.sync;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.clusters.NamespaceWriter;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.PendingCopies;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.sync.decide.Progress;
import dev.mooring.syncagent.related.sync.decide.RelatedAction;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Executes each action as one write with its precondition, on the side where it belongs. */
record RelatedExecutor(
    RelatedRules rules,
    KubeClient service,
    NamespaceWriter namespaces,
    PendingCopies pendingCopies,
    RecordExecutor records) {
  private static final int INTERNAL_ERROR = 500;

  /** How an action ended. */
  enum Outcome {
    DONE,
    /** What the plan was made on has changed: observe again. */
    STALE
  }

  /**
   * @param primary in kcp, as it was read
   * @param workspace of the primary
   * @throws KubeFailure if a server refuses or does not answer
   */
  Outcome execute(KubeObject primary, RelatedAction action, KubeClient workspace) {
    try {
      return write(primary, action, workspace);
    } catch (KubeFailure e) {
      if (e.kind() == Kind.ALREADY_EXISTS) {
        requireShown(action, workspace);
        return Outcome.STALE;
      }
      if (e.kind() == Kind.CONFLICT || e.kind() == Kind.NOT_FOUND) {
        return Outcome.STALE;
      }
      throw e;
    }
  }

  private Outcome write(KubeObject primary, RelatedAction action, KubeClient workspace) {
    return switch (action) {
      case RelatedAction.AddFinalizer(var at, var original, var finalizers) ->
          finalizers(at, original, finalizers, workspace);
      case RelatedAction.RemoveFinalizer(var at, var original, var finalizers) ->
          finalizers(at, original, finalizers, workspace);
      case RelatedAction.CreateNamespace(var copy) -> createNamespace(primary, copy, workspace);
      case RelatedAction.CreateCopy(var at, var desired) -> create(at, desired, workspace);
      case RelatedAction.PatchCopy(var at, var copy, var patch, var recorded) -> {
        patch(at, copy, patch, workspace);
        yield records.store(primary, recorded, workspace);
      }
      case RelatedAction.WriteStatus(var at, var desired) -> writeStatus(at, desired, workspace);
      case RelatedAction.DeleteCopy delete -> delete(delete, workspace);
      case RelatedAction.StoreRecord(var record) -> records.store(primary, record, workspace);
      case RelatedAction.AnnounceHandover(var record) -> {
        records.records().announceHandover(record);
        yield Outcome.DONE;
      }
      case RelatedAction.Disown(var record) -> records.disown(primary, record, workspace);
      case RelatedAction.DeleteRecord(var record, var emptied) ->
          records.delete(primary, record, emptied, workspace);
      case RelatedAction.AnnotatePrimary(var annotations) ->
          annotate(primary, annotations, workspace);
    };
  }

  /**
   * What has to come before the action: a copy on the service cluster goes after the primary's, so
   * not while the primary, or its Namespace with all that is in it, is being deleted. Asked of kcp,
   * since one cache may show less of a Namespace's deletion than another.
   */
  Optional<Progress> precededBy(RelatedAction action, KubeObject primary, KubeClient workspace) {
    return action instanceof RelatedAction.DeleteCopy(var at, var _, var _, var _)
            && at.side() == Side.SERVICE
            && (isGoing(primary, workspace) || isNamespaceGoing(primary, workspace))
        ? Optional.of(new Progress.Waiting())
        : Optional.empty();
  }

  private boolean isGoing(KubeObject primary, KubeClient workspace) {
    return workspace
        .find(rules.primaryType(), primary.namespace(), primary.name())
        .map(KubeObject::deleting)
        .orElse(true);
  }

  private static boolean isNamespaceGoing(KubeObject primary, KubeClient workspace) {
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
  private static void requireShown(RelatedAction action, KubeClient workspace) {
    switch (action) {
      case RelatedAction.CreateCopy(var at, var _) when at.side() == Side.KCP ->
          requireShown(at.type(), at.namespace(), at.name(), workspace);
      case RelatedAction.CreateNamespace(var copy) when copy.side() == Side.KCP ->
          requireShown(Clusters.NAMESPACES, "", copy.namespace(), workspace);
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

  private Outcome finalizers(
      ObjectRef at, KubeObject original, List<String> finalizers, KubeClient workspace) {
    return patch(at, original, Map.of("metadata", Map.of("finalizers", finalizers)), workspace);
  }

  private Outcome writeStatus(ObjectRef at, KubeObject desired, KubeClient workspace) {
    on(at.side(), workspace).updateStatus(at.type(), desired);
    return Outcome.DONE;
  }

  private Outcome annotate(
      KubeObject primary, Map<String, String> annotations, KubeClient workspace) {
    workspace.patch(
        rules.primaryType(),
        primary.namespace(),
        primary.name(),
        ConditionalPatch.on(primary, Map.of("metadata", Map.of("annotations", annotations))));
    return Outcome.DONE;
  }

  /** The agent's label is set on the service cluster only: consumers see no machinery. */
  private Outcome createNamespace(KubeObject primary, ObjectRef copy, KubeClient workspace) {
    KubeObject namespace =
        switch (copy.side()) {
          case SERVICE ->
              rules
                  .namespaceMetadata()
                  .namespace(
                      copy.namespace(),
                      records.records().agentName(),
                      primary.logicalCluster().orElseThrow());
          case KCP -> KubeObject.of(Clusters.NAMESPACES, "Namespace", "", copy.namespace());
        };
    on(copy.side(), workspace).create(Clusters.NAMESPACES, namespace);
    return Outcome.DONE;
  }

  /** Stale, with nothing written, if the Namespace is being removed. */
  private Outcome create(ObjectRef at, KubeObject desired, KubeClient workspace) {
    Optional<KubeObject> created =
        switch (at.side()) {
          case SERVICE ->
              namespaces.inside(at.namespace(), () -> createNow(at, desired, workspace));
          case KCP -> Optional.of(createNow(at, desired, workspace));
        };
    return created.isPresent() ? Outcome.DONE : Outcome.STALE;
  }

  private KubeObject createNow(ObjectRef at, KubeObject desired, KubeClient workspace) {
    pendingCopies.begin(at);
    try {
      KubeObject copy = on(at.side(), workspace).create(at.type(), desired);
      pendingCopies.created(at, copy, SyncedContent.of(desired));
      return copy;
    } catch (KubeFailure e) {
      pendingCopies.forget(at);
      throw e;
    }
  }

  private Outcome delete(RelatedAction.DeleteCopy delete, KubeClient workspace) {
    ObjectRef at = delete.at();
    KubeObject copy = delete.copy();
    try {
      on(at.side(), workspace)
          .delete(
              at.type(),
              copy.namespace(),
              copy.name(),
              new DeleteCondition.Unchanged(
                  copy.uid(), copy.resourceVersion(), delete.propagation().text()));
      pendingCopies.deleted(at, copy);
    } catch (KubeFailure e) {
      if (e.kind() == Kind.NOT_FOUND) {
        pendingCopies.forget(at);
      }
      throw e;
    }
    // A watch may never show an object that was created and deleted before it got there.
    return pendingCopies.find(at).isPresent() ? Outcome.STALE : Outcome.DONE;
  }

  private Outcome patch(
      ObjectRef at, KubeObject object, Map<String, Object> patch, KubeClient workspace) {
    try {
      on(at.side(), workspace)
          .patch(at.type(), object.namespace(), object.name(), ConditionalPatch.on(object, patch));
    } catch (KubeFailure e) {
      if (e.kind() == Kind.NOT_FOUND) {
        pendingCopies.forget(at);
      }
      throw e;
    }
    return Outcome.DONE;
  }

  private KubeClient on(Side side, KubeClient workspace) {
    return switch (side) {
      case SERVICE -> service;
      case KCP -> workspace;
    };
  }
}
