package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.Adoption;
import dev.mooring.model.published.RelatedResource;
import dev.mooring.syncagent.content.decide.SourceMarks;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything that one decision is made on, read before it.
 *
 * @param original empty if the primary does not name one, or it does not exist
 * @param copyPlace empty if the primary does not say it yet
 * @param copy what is at {@code copyPlace}
 * @param recordedCopy what is where the record says; {@code copy} if that is the same place
 * @param marks for copies on the service cluster; empty for copies in kcp, which carry none
 * @param note the annotation on the consumer's primary that names the copy; empty if there is none
 */
public record RelatedSnapshot(
    RelatedResource entry,
    KubeObject primary,
    Optional<KubeObject> original,
    Optional<Place> copyPlace,
    Optional<KubeObject> copy,
    Optional<RelatedRecord> record,
    Optional<KubeObject> recordedCopy,
    CopyNamespace copyNamespace,
    Optional<SourceMarks> marks,
    Optional<String> note,
    Sharing sharing,
    Adoption adoption) {
  public RelatedSnapshot {
    Objects.requireNonNull(entry, "entry");
    Objects.requireNonNull(primary, "primary");
    Objects.requireNonNull(original, "original");
    Objects.requireNonNull(copyPlace, "copyPlace");
    Objects.requireNonNull(copy, "copy");
    Objects.requireNonNull(record, "record");
    Objects.requireNonNull(recordedCopy, "recordedCopy");
    Objects.requireNonNull(copyNamespace, "copyNamespace");
    Objects.requireNonNull(marks, "marks");
    Objects.requireNonNull(note, "note");
    Objects.requireNonNull(sharing, "sharing");
    Objects.requireNonNull(adoption, "adoption");
  }

  /** State of the Namespace that the copy goes into. */
  public enum CopyNamespace {
    NOT_NEEDED,
    PRESENT,
    ABSENT,
    TERMINATING
  }

  /** Whether another primary of the same workspace needs the same original. */
  public enum Sharing {
    SOLE,
    SHARED
  }
}
