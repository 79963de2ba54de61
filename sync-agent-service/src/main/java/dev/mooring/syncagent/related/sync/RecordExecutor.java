package dev.mooring.syncagent.related.sync;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.PendingCopies;
import dev.mooring.syncagent.related.record.RelatedRecordStore;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.Ownership;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.share.PermissionClaims;
import dev.mooring.syncagent.related.share.decide.OtherOwners;
import dev.mooring.syncagent.related.sync.RelatedExecutor.Outcome;
import dev.mooring.syncagent.related.sync.decide.OriginalFinalizers;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Writes and deletes records, once what they record is known to be so.
 *
 * @param closed whether the published type is not synced any more
 */
record RecordExecutor(
    RelatedSyncFactory.Shared shared, PendingCopies pendingCopies, BooleanSupplier closed) {
  RelatedRecordStore records() {
    return shared.objects().records();
  }

  Outcome store(KubeObject primary, RelatedRecord record, KubeClient workspace) {
    if (isUnseenCopy(record, workspace) || formerHasFinalizer(primary, record, workspace)) {
      return Outcome.STALE;
    }
    records().put(record);
    pendingCopies.recorded(record.copy());
    return Outcome.DONE;
  }

  Outcome disown(KubeObject primary, RelatedRecord record, KubeClient workspace) {
    if (originalHasFinalizer(primary, record, workspace)) {
      return Outcome.STALE;
    }
    drop(primary, record, workspace);
    return Outcome.DONE;
  }

  /**
   * @param emptied the Namespace to be deleted with the record
   */
  Outcome delete(
      KubeObject primary,
      RelatedRecord record,
      Optional<KubeObject> emptied,
      KubeClient workspace) {
    if (isUnseenCopy(record, workspace) || originalHasFinalizer(primary, record, workspace)) {
      return Outcome.STALE;
    }
    // Before the record, which leads here again if it fails.
    emptied.ifPresent(namespace ->
        shared
            .namespaces()
            .remove(
                namespace,
                name -> records().holdsOtherCopies(name, record),
                name -> closed.getAsBoolean() || records().holdsCopies(name)));
    drop(primary, record, workspace);
    return Outcome.DONE;
  }

  private void drop(KubeObject primary, RelatedRecord record, KubeClient workspace) {
    records().drop(record);
    pendingCopies.recordDeleted(record.copy());
    dropEarlier(primary, record, workspace);
  }

  /**
   * Whether the copy exists and the cache does not show it yet: the answer to its creation may have
   * been lost. The server is asked only where the creation was intended before.
   */
  private boolean isUnseenCopy(RelatedRecord record, KubeClient workspace) {
    ObjectRef copy = record.copy();
    KubeClient server = copy.side() == Side.SERVICE ? shared.service() : workspace;
    return record.ownership() == Ownership.INTENDED
        && records().intends(record)
        && pendingCopies.find(copy).isEmpty()
        && server.find(copy.type(), copy.namespace(), copy.name()).isPresent();
  }

  private boolean formerHasFinalizer(
      KubeObject primary, RelatedRecord record, KubeClient workspace) {
    return records()
        .find(record)
        .filter(known -> !known.original().equals(record.original()))
        .filter(known -> originalHasFinalizer(primary, known, workspace))
        .isPresent();
  }

  /**
   * Whether the original has the agent's finalizer, which the cache may not show yet: without a
   * record of the original the finalizer would stay forever.
   */
  private boolean originalHasFinalizer(
      KubeObject primary, RelatedRecord record, KubeClient workspace) {
    ObjectRef original = record.original();
    if (original.side() != Side.KCP
        || shared.objects().otherOwnersOfOriginal(record.owner(), original) != OtherOwners.NONE) {
      return false;
    }
    try {
      return PermissionClaims.findNow(workspace, original)
          .filter(OriginalFinalizers.of(records().agentName())::remainOn)
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
  private void dropEarlier(KubeObject primary, RelatedRecord record, KubeClient workspace) {
    if (primary.deleting()) {
      return; // the state is deleted with the primary
    }
    ObjectRef original = record.original();
    shared
        .earlier()
        .drop(
            new StateKey(primary.apiVersion(), primary.kind(), record.owner().primary()),
            new StateKey(
                original.type().apiVersion(),
                shared.caches().type(original.side(), original.type(), workspace).kind(),
                original.key()));
  }
}
