package dev.mooring.syncagent.related.sync.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One write, with what must still be true for it to happen. */
public sealed interface RelatedAction {
  /** Put our finalizers on an original in kcp, as it was seen. */
  record AddFinalizer(ObjectRef at, KubeObject original, List<String> finalizers)
      implements RelatedAction {}

  /** Take our finalizers off an original in kcp, as it was seen. */
  record RemoveFinalizer(ObjectRef at, KubeObject original, List<String> finalizers)
      implements RelatedAction {}

  /** Make the Namespace that the copy goes into. */
  record CreateNamespace(ObjectRef copy) implements RelatedAction {}

  /** Make the copy; fails if something has its name. */
  record CreateCopy(ObjectRef at, KubeObject desired) implements RelatedAction {}

  /** Bring the copy in line, as it was seen. */
  record PatchCopy(ObjectRef at, KubeObject copy, Map<String, Object> patch)
      implements RelatedAction {}

  /** Give the copy, as it was seen, the original's status. */
  record WriteStatus(ObjectRef at, KubeObject desired) implements RelatedAction {}

  /**
   * Delete the copy, as it was seen.
   *
   * @param unseen the original in kcp whose absence this follows from
   */
  record DeleteCopy(ObjectRef at, KubeObject copy, Optional<ObjectRef> unseen)
      implements RelatedAction {}

  /** Remember the copy, after its content was written. */
  record StoreRecord(RelatedRecord record) implements RelatedAction {}

  /** Tell other agents that need the copy, too, that it is to be left to them. */
  record AnnounceHandover(RelatedRecord record) implements RelatedAction {}

  /** Leave the copy to itself from now on. */
  record Disown(RelatedRecord record) implements RelatedAction {}

  /**
   * Forget the copy, after it is gone.
   *
   * @param emptied a Namespace that the agent made and that is to go then, as it was seen
   */
  record DeleteRecord(RelatedRecord record, Optional<KubeObject> emptied)
      implements RelatedAction {}

  /**
   * Name the copies on the consumer's primary, as it was seen.
   *
   * @param annotations with null for those that go
   */
  record AnnotatePrimary(Map<String, String> annotations) implements RelatedAction {}
}
