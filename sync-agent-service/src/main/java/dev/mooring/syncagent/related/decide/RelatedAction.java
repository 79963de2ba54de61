package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.DeletionPropagation;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One write, with what must still be true for it to happen. */
public sealed interface RelatedAction extends RelatedPlan {
  /** Of a copy, its Namespace, or an original. */
  sealed interface Write extends RelatedAction {
    ObjectRef at();
  }

  /** Of the record of a copy. */
  sealed interface RecordWrite extends RelatedAction {
    RelatedRecord record();
  }

  /** Adds our finalizers to an original in kcp, as it was read. */
  record AddFinalizer(ObjectRef at, KubeObject original, List<String> finalizers)
      implements Write {}

  /** Removes our finalizers from an original in kcp, as it was read. */
  record RemoveFinalizer(ObjectRef at, KubeObject original, List<String> finalizers)
      implements Write {}

  /** Creates the Namespace of the copy. */
  record CreateNamespace(ObjectRef at) implements Write {}

  /** Creates the copy; fails if an object has its name. */
  record CreateCopy(ObjectRef at, KubeObject desired) implements Write {}

  /**
   * Patches the copy, as it was read, and records it. The patch is empty if only the record is
   * behind, or the copy changed since it was read.
   */
  record PatchCopy(ObjectRef at, KubeObject copy, Map<String, Object> patch, RelatedRecord recorded)
      implements Write {}

  /** Writes the original's status to the copy, as it was read. */
  record WriteStatus(ObjectRef at, KubeObject desired) implements Write {}

  /**
   * Deletes the copy, as it was read. What is unseen is the original in kcp from whose absence that
   * follows.
   */
  record DeleteCopy(
      ObjectRef at, KubeObject copy, Optional<ObjectRef> unseen, DeletionPropagation propagation)
      implements Write {}

  /** Records the copy. */
  record StoreRecord(RelatedRecord record) implements RecordWrite {}

  /** Announces to other agents that need the copy, too, that it is handed over to them. */
  record AnnounceHandover(RelatedRecord record) implements RecordWrite {}

  /** Deletes the record; the copy stays. */
  record Disown(RelatedRecord record) implements RecordWrite {}

  /**
   * Deletes the record, after the copy is deleted, and before it the emptied Namespace that the
   * agent created, as it was read.
   */
  record DeleteRecord(RelatedRecord record, Optional<KubeObject> emptied) implements RecordWrite {}

  /** Sets annotations of the consumer's primary, as it was read; null removes one. */
  record AnnotatePrimary(Map<String, Object> annotations) implements RelatedAction {}
}
