package dev.mooring.syncagent.related.sync.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import java.util.Map;
import java.util.Optional;

/** What is recorded of one copy for one primary. */
public sealed interface CopyState {
  /** Nothing. */
  record Unrecorded(Optional<Map<String, Object>> earlier) implements CopyState {}

  /** The original gets a finalizer for the copy, which is going to be created. */
  record Intended(RelatedRecord record, Remains remains, Optional<Map<String, Object>> earlier)
      implements Recorded {}

  /** The agent created the copy, and deletes it. */
  record Owned(RelatedRecord record, Remains remains) implements Recorded {}

  /** The copy existed before, and is never deleted. */
  record Adopted(RelatedRecord record, Remains remains) implements Recorded {}

  /** Any state with a record. */
  sealed interface Recorded extends CopyState {
    RelatedRecord record();

    Remains remains();
  }

  /**
   * What else the record's removal concerns.
   *
   * @param formerOriginal what the record calls the original, where the primary names another one
   *     now; empty if they are the same, or it does not exist
   * @param emptyNamespace the Namespace that the agent created for the copy, if nothing but this
   *     record keeps it, and it is to be deleted then
   */
  record Remains(Optional<KubeObject> formerOriginal, Optional<KubeObject> emptyNamespace) {}

  /**
   * @param earlier content that an earlier agent, or an entry of another identifier, last wrote to
   *     the copy; empty if neither recorded any
   */
  static CopyState of(
      Optional<RelatedRecord> record, Remains remains, Optional<Map<String, Object>> earlier) {
    if (record.isEmpty()) {
      return new Unrecorded(earlier);
    }
    return switch (record.get().ownership()) {
      case INTENDED -> new Intended(record.get(), remains, earlier);
      case MADE -> new Owned(record.get(), remains);
      case ADOPTED -> new Adopted(record.get(), remains);
    };
  }

  default Optional<RelatedRecord> recorded() {
    return this instanceof Recorded known ? Optional.of(known.record()) : Optional.empty();
  }

  /** See {@link Remains#formerOriginal}. */
  default Optional<KubeObject> formerOriginal() {
    return this instanceof Recorded known ? known.remains().formerOriginal() : Optional.empty();
  }

  /** Content that was written to the copy before this agent recorded it. */
  default Optional<Map<String, Object>> earlierContent() {
    return switch (this) {
      case Unrecorded(var earlier) -> earlier;
      case Intended(var _, var _, var earlier) -> earlier;
      case Owned _, Adopted _ -> Optional.empty();
    };
  }
}
