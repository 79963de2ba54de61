package dev.mooring.syncagent.related.decide;

import java.util.Optional;

/**
 * What one {@link CopySnapshot} is to be read of.
 *
 * @param record of the copy that the decision uses
 */
public record CopySubject(ObjectRef original, ObjectRef copy, Optional<RelatedRecord> record) {
  static CopySubject of(RelatedRecord record) {
    return new CopySubject(record.original(), record.copy(), Optional.of(record));
  }

  /** The original that the record names, or else this one. */
  public ObjectRef recordedOriginal() {
    return record.map(RelatedRecord::original).orElse(original);
  }

  boolean isRecordOfOriginal() {
    return record.isPresent() && recordedOriginal().equals(original);
  }

  CopySubject unrecorded() {
    return new CopySubject(original, copy, Optional.empty());
  }
}
