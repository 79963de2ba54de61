package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;

/** One write, with what must still be true for it to happen. */
public sealed interface RelatedAction {
  /** Put our finalizer on an original in kcp, as it was seen. */
  record HoldOriginal(KubeObject original, List<String> finalizers) implements RelatedAction {}

  /** Take our finalizer off an original in kcp, as it was seen. */
  record ReleaseOriginal(KubeObject original, List<String> finalizers) implements RelatedAction {}

  /** Make the Namespace that the copy goes into. */
  record CreateNamespace(String name) implements RelatedAction {}

  /** Make the copy; fails if something has its name. */
  record CreateCopy(KubeObject desired) implements RelatedAction {}

  /** Bring the copy in line, as it was seen. */
  record PatchCopy(KubeObject copy, Map<String, Object> patch) implements RelatedAction {}

  /** Delete the copy, as it was seen. */
  record DeleteCopy(KubeObject copy) implements RelatedAction {}

  /** Remember the copy, after its content was written. */
  record StoreRecord(RelatedRecord record) implements RelatedAction {}

  /** Forget the copy, after it is gone. */
  record DropRecord() implements RelatedAction {}

  /** Name the copy on the consumer's primary, as it was seen. */
  record Note(String value) implements RelatedAction {}

  /** Take the copy's name off the consumer's primary, as it was seen. */
  record RemoveNote() implements RelatedAction {}
}
