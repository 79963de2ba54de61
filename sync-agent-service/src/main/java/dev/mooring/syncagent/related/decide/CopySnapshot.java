package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.content.decide.ValueDigests;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.mutation.Counterparts;
import dev.mooring.syncagent.published.mutation.MutationFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that one decision about one copy is made on, read before it, and what follows from it.
 *
 * @param rules what holds for all copies of the entry
 * @param content what of the original belongs in the copy
 */
public record CopySnapshot(
    Rules rules,
    RecordOwner owner,
    Original original,
    Copy copy,
    Known known,
    Sharers sharers,
    Content content) {
  /** A field of these that the copy has, and the original has not, was not defaulted. */
  private static final List<String> NEVER_DEFAULTED = List.of("data", "binaryData");

  /** As it is read, with nothing rendered. */
  public CopySnapshot(
      Rules rules, RecordOwner owner, Original original, Copy copy, Known known, Sharers sharers) {
    this(rules, owner, original, copy, known, sharers, new Content.None());
  }

  /** With the original's content rendered, for decisions that compare or write it. */
  CopySnapshot withContent() {
    Content rendered = original.object().map(this::render).orElse(content);
    return new CopySnapshot(rules, owner, original, copy, known, sharers, rendered);
  }

  private Content render(KubeObject object) {
    // Rules may read the name that the copy will have.
    KubeObject other = copy.object().orElseGet(() -> newCopy(Map.of()));
    var counterparts = new Counterparts(rules.entry().origin(), object, Optional.of(other));
    try {
      return new Content.Rendered(
          SyncedContent.of(rules.entry().mutations().spec().apply(counterparts)));
    } catch (MutationFailure e) {
      return new Content.Failed(String.valueOf(e.getMessage()));
    }
  }

  /** What of the original belongs in the copy. */
  public sealed interface Content {
    record Rendered(Map<String, Object> tree) implements Content {}

    record Failed(String message) implements Content {}

    /** There is no original, or its content is not rendered. */
    record None() implements Content {}
  }

  /** The object is empty if it does not exist. */
  public record Original(ObjectRef ref, Optional<KubeObject> object) {}

  /** The object is what exists by that name; empty if nothing does. */
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
   * @param earlier content that an earlier agent, or another owner, last wrote to a copy that is
   *     not recorded as created or adopted; empty if neither recorded any
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
   * @param heir record of another owner that may need the copy, and has only intended it so far
   * @param ofOriginal as ofCopy, of the original that is recorded
   */
  public record Sharers(
      OtherOwners ofCopy,
      Optional<RelatedRecord> heir,
      OtherOwners ofOriginal,
      OtherAgents agents) {}

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
    /** This process created this very object, with this content, and has not recorded it yet. */
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

  KubeObject originalObject() {
    return original.object().orElseThrow();
  }

  KubeObject copyObject() {
    return copy.object().orElseThrow();
  }

  boolean isCopyThere() {
    return copy.object().isPresent();
  }

  /** Only {@link #withContent}, after the check that refuses what cannot be rendered. */
  Map<String, Object> rendered() {
    return ((Content.Rendered) content).tree();
  }

  boolean isFromKcp() {
    return rules.entry().origin() == Side.KCP;
  }

  boolean isWrittenByOther() {
    return sharers.ofCopy() == OtherOwners.THEY_WRITE;
  }

  boolean isCreatedHere() {
    return copy.provenance() instanceof Provenance.CreatedHere;
  }

  /** Whether the copy carries the marks of a primary's copy, of this agent or another. */
  boolean isMarked() {
    return SourceMarks.isMarked(copyObject());
  }

  /** Whether the copy is another object than the recorded one, and differs from it. */
  boolean isReplaced() {
    return record()
        .filter(record -> record.isAnother(copyObject()) && !isAsCreated(inCopy(record)))
        .isPresent();
  }

  /** Whether the agent created the copy, and no other source or agent marked it. */
  boolean isOurs() {
    return isCopyThere() && !isMarked() && record().filter(this::isOurs).isPresent();
  }

  private boolean isOurs(RelatedRecord record) {
    return switch (record.ownership()) {
      case MADE -> !isReplaced();
      case ADOPTED -> false;
      // Created, perhaps, and not recorded as such: only if it is what was to be created.
      case INTENDED -> isCreatedHere() || covers(inCopy(record));
    };
  }

  /** The recorded content, with the copy's own texts for digests that fit them. */
  private Map<String, Object> inCopy(RelatedRecord record) {
    return ValueDigests.resolved(record.lastKnown(), copyObject().tree());
  }

  /** Whether an earlier agent, or another owner, wrote the copy. */
  boolean isOfEarlierAgent() {
    return known.earlier().isPresent() && !isMarked();
  }

  /** Whether the copy has this content and, where servers add no defaults, nothing else. */
  boolean isAsCreated(Map<String, Object> wanted) {
    return isCreatedHere()
        || covers(wanted)
            && NEVER_DEFAULTED.stream()
                .allMatch(
                    field -> copyObject().map(field).equals(Trees.mapOrEmpty(wanted.get(field))));
  }

  /** A server may have added defaults. */
  boolean covers(Map<String, Object> wanted) {
    return SyncedContent.threeWay(copyObject(), Map.of(), wanted).equals(copyObject());
  }

  /** The original that the record names; empty if it is not seen. */
  Optional<KubeObject> recordedOriginal(RelatedRecord record) {
    return record.original().equals(original.ref()) ? original.object() : known.formerOriginal();
  }

  /** The recorded original's address, if it is in kcp and not seen. */
  Optional<ObjectRef> unseenOriginal(RelatedRecord record) {
    return Optional.of(record.original())
        .filter(ref -> ref.side() == Side.KCP && recordedOriginal(record).isEmpty());
  }

  /** Whether the consumer may hide a copy in kcp that is recorded and not seen. */
  boolean isCopyHidden(RelatedRecord record) {
    return record.copy().side() == Side.KCP
        && record.isDone()
        && !isCopyThere()
        && !(copy.provenance() instanceof Provenance.RemovedHere);
  }

  RelatedRecord record(Ownership ownership, Map<String, Object> lastKnown) {
    return new RelatedRecord(
        owner(),
        original.ref(),
        copy.ref(),
        ownership,
        lastKnown,
        ownership == Ownership.INTENDED ? "" : copy.object().map(KubeObject::uid).orElse(""));
  }

  RelatedAction store(Ownership ownership, Map<String, Object> lastKnown) {
    return new RelatedAction.StoreRecord(record(ownership, lastKnown));
  }

  KubeObject newCopy() {
    return newCopy(rendered());
  }

  private KubeObject newCopy(Map<String, Object> content) {
    ObjectRef ref = copy.ref();
    return SyncedContent.asObject(
        content, ref.type().apiVersion(), rules.copyKind(), ref.namespace(), ref.name());
  }

  RelatedAction patch(KubeObject desired, RelatedRecord recorded) {
    return new RelatedAction.PatchCopy(
        copy.ref(), copyObject(), SyncedContent.patch(copyObject(), desired), recorded);
  }

  RelatedPlan collision(String why) {
    return new Progress.Refused(
        "NameCollision",
        ("%s \"%s\" is in the way of related object \"%s\": it %s. Nothing was changed;"
                + " rename or remove it.")
            .formatted(
                rules.copyKind(), copy.ref().namespacedName(), rules.entry().identifier(), why));
  }
}
