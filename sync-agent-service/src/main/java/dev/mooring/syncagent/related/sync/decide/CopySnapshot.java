package dev.mooring.syncagent.related.sync.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.OtherAgents;
import dev.mooring.syncagent.related.record.decide.RecordOwner;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.share.decide.ClaimVisibility;
import dev.mooring.syncagent.related.share.decide.OtherOwners;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything that one decision about one copy is made on, read before it.
 *
 * @param rules what holds for all copies of the entry
 * @param original empty if it does not exist
 * @param copy what is at the copy's ref
 * @param record of this copy for this primary
 * @param formerOriginal what the record calls the original, where the primary means another one
 *     now; empty if they are the same, or it does not exist
 * @param earlier content of the original that was brought to the copy by an earlier agent, or for
 *     an entry of an earlier name, where that left word and nothing is recorded
 * @param emptied the Namespace that the agent made for the copy, if nothing of the agent but this
 *     record is in it and it is to go then
 */
public record CopySnapshot(
    Rules rules,
    RecordOwner owner,
    ObjectRef originalRef,
    Optional<KubeObject> original,
    ObjectRef copyRef,
    Optional<KubeObject> copy,
    CopyNamespace copyNamespace,
    Provenance provenance,
    Optional<RelatedRecord> record,
    Optional<KubeObject> formerOriginal,
    OtherOwners otherCopyOwners,
    OtherOwners otherOriginalOwners,
    OtherAgents otherAgents,
    Optional<Map<String, Object>> earlier,
    Optional<KubeObject> emptied) {
  public CopySnapshot {
    Objects.requireNonNull(rules, "rules");
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(originalRef, "originalRef");
    Objects.requireNonNull(original, "original");
    Objects.requireNonNull(copyRef, "copyRef");
    Objects.requireNonNull(copy, "copy");
    Objects.requireNonNull(copyNamespace, "copyNamespace");
    Objects.requireNonNull(provenance, "provenance");
    Objects.requireNonNull(record, "record");
    Objects.requireNonNull(formerOriginal, "formerOriginal");
    Objects.requireNonNull(otherCopyOwners, "otherCopyOwners");
    Objects.requireNonNull(otherOriginalOwners, "otherOriginalOwners");
    Objects.requireNonNull(otherAgents, "otherAgents");
    Objects.requireNonNull(earlier, "earlier");
    Objects.requireNonNull(emptied, "emptied");
  }

  /**
   * What holds for all copies of one entry.
   *
   * @param copyKind as the type is called where the copies are
   * @param copyStatus whether the type has the status subresource there
   * @param visibility of the entry's type in kcp
   */
  public record Rules(
      RelatedResource entry,
      String copyKind,
      StatusSubresource copyStatus,
      Adoption adoption,
      OriginalFinalizers hold,
      ClaimVisibility visibility) {
    public Rules {
      Objects.requireNonNull(entry, "entry");
      Objects.requireNonNull(copyKind, "copyKind");
      Objects.requireNonNull(copyStatus, "copyStatus");
      Objects.requireNonNull(adoption, "adoption");
      Objects.requireNonNull(hold, "hold");
      Objects.requireNonNull(visibility, "visibility");
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
}
