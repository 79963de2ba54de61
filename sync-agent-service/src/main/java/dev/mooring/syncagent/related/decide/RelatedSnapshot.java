package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything that one decision about one copy is made on, read before it.
 *
 * @param rules what holds for all copies of the entry
 * @param original empty if it does not exist
 * @param copy what is at the copy's spot
 * @param record of this copy for this primary
 * @param formerOriginal what the record calls the original, where the primary means another one
 *     now; empty if they are the same, or it does not exist
 * @param earlier content of the original that was brought to the copy by an earlier agent, or for
 *     an entry of an earlier name, where that left word and nothing is recorded
 * @param emptied the Namespace that the agent made for the copy, if nothing of the agent but this
 *     record is in it and it is to go then
 */
public record RelatedSnapshot(
    Rules rules,
    Holder holder,
    Spot originalSpot,
    Optional<KubeObject> original,
    Spot copySpot,
    Optional<KubeObject> copy,
    CopyNamespace copyNamespace,
    Provenance provenance,
    Optional<RelatedRecord> record,
    Optional<KubeObject> formerOriginal,
    Others copyOthers,
    Others originalOthers,
    Elsewhere elsewhere,
    Optional<Map<String, Object>> earlier,
    Optional<KubeObject> emptied) {
  public RelatedSnapshot {
    Objects.requireNonNull(rules, "rules");
    Objects.requireNonNull(holder, "holder");
    Objects.requireNonNull(originalSpot, "originalSpot");
    Objects.requireNonNull(original, "original");
    Objects.requireNonNull(copySpot, "copySpot");
    Objects.requireNonNull(copy, "copy");
    Objects.requireNonNull(copyNamespace, "copyNamespace");
    Objects.requireNonNull(provenance, "provenance");
    Objects.requireNonNull(record, "record");
    Objects.requireNonNull(formerOriginal, "formerOriginal");
    Objects.requireNonNull(copyOthers, "copyOthers");
    Objects.requireNonNull(originalOthers, "originalOthers");
    Objects.requireNonNull(elsewhere, "elsewhere");
    Objects.requireNonNull(earlier, "earlier");
    Objects.requireNonNull(emptied, "emptied");
  }

  /**
   * What holds for all copies of one entry.
   *
   * @param copyKind as the type is called where the copies are
   * @param copyStatus whether the type has the status subresource there
   * @param sight of the entry's type in kcp
   */
  public record Rules(
      RelatedResource entry,
      String copyKind,
      StatusSubresource copyStatus,
      Adoption adoption,
      OriginalHold hold,
      Sight sight) {
    public Rules {
      Objects.requireNonNull(entry, "entry");
      Objects.requireNonNull(copyKind, "copyKind");
      Objects.requireNonNull(copyStatus, "copyStatus");
      Objects.requireNonNull(adoption, "adoption");
      Objects.requireNonNull(hold, "hold");
      Objects.requireNonNull(sight, "sight");
    }
  }

  /** State of the Namespace that the copy goes into. */
  public enum CopyNamespace {
    NOT_NEEDED,
    PRESENT,
    ABSENT,
    TERMINATING
  }

  /** What this process knows of where the copy comes from, or went. */
  public sealed interface Provenance {
    /**
     * This process made this very object, and has not recorded it yet.
     *
     * @param content of the original as it was then; it may have changed since
     */
    record CreatedHere(Map<String, Object> content) implements Provenance {
      public CreatedHere {
        content = Trees.freezeMap(content);
      }
    }

    /** This process removed what is recorded. */
    record RemovedHere() implements Provenance {}

    record Unknown() implements Provenance {}
  }

  /**
   * Whether agents of other names need the same copy, as far as their records tell, and whether
   * they can know that this one lets go of it.
   */
  public enum Elsewhere {
    NOBODY,
    /** They need it, and were not told. */
    UNTOLD,
    /** They need it, as far as was known before they were told. */
    TELLING,
    /** They were told, and need it still. */
    TOLD
  }

  /** Which other entries and primaries need the same object, and have recorded so. */
  public enum Others {
    NONE,
    /** They follow: this one writes. */
    FOLLOW,
    /** One of them writes; it has the same original. */
    LEAD,
    /** One of them writes, from another original. */
    CONFLICT
  }
}
