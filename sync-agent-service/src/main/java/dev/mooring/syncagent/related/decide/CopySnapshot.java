package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that one decision about one copy is made on, read before it.
 *
 * @param rules what holds for all copies of the entry
 */
public record CopySnapshot(
    Rules rules, RecordOwner owner, Original original, Copy copy, Known known, Sharers sharers) {

  /**
   * @param object empty if it does not exist
   */
  public record Original(ObjectRef ref, Optional<KubeObject> object) {}

  /**
   * @param object what exists by that name; empty if nothing does
   */
  public record Copy(
      ObjectRef ref, Optional<KubeObject> object, CopyNamespace namespace, Provenance provenance) {}

  /**
   * What is recorded of the copy for its owner, and what else that concerns.
   *
   * @param record empty if nothing is recorded
   * @param formerOriginal what the record calls the original, where the primary names another one
   *     now; empty if they are the same, or it does not exist
   * @param emptyNamespace the Namespace that the agent created for the copy, if nothing but this
   *     record keeps it, and it is to be deleted then
   * @param earlier content that an earlier agent, or an entry of another identifier, last wrote to
   *     a copy that is not recorded as created or adopted; empty if neither recorded any
   */
  public record Known(
      Optional<RelatedRecord> record,
      Optional<KubeObject> formerOriginal,
      Optional<KubeObject> emptyNamespace,
      Optional<Map<String, Object>> earlier) {}

  /**
   * Who else needs the same objects.
   *
   * @param ofCopy other entries and primaries that this agent syncs
   * @param ofOriginal likewise, of the original that is recorded
   */
  public record Sharers(OtherOwners ofCopy, OtherOwners ofOriginal, OtherAgents agents) {}

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
      OriginalFinalizers finalizers,
      ClaimVisibility visibility,
      Comparison comparison) {}

  /** What decides whether a copy that the agent created is written. */
  public enum Comparison {
    /** What changed in the original since it was last written: local changes stay. */
    CHANGES,
    /** Every field of the original, as after an operator's resync. */
    CONTENTS
  }

  /** What this process knows of the copy's creation or deletion. */
  public sealed interface Provenance {
    /**
     * This process created this very object, and has not recorded it yet.
     *
     * @param content of the original as it was then; it may have changed since
     */
    record CreatedHere(Map<String, Object> content) implements Provenance {
      public CreatedHere {
        content = Trees.freezeMap(content);
      }
    }

    /** This process deleted the object that is recorded. */
    record RemovedHere() implements Provenance {}

    record Unknown() implements Provenance {}
  }

  public Optional<RelatedRecord> record() {
    return known.record();
  }

  /** The record of a copy that is going to be created, or was and is not recorded as such. */
  Optional<RelatedRecord> intended() {
    return record().filter(record -> !record.isDone());
  }

  /** Whether the original exists and is not being deleted. */
  boolean hasLiveOriginal() {
    return original.object().filter(object -> !object.deleting()).isPresent();
  }
}
