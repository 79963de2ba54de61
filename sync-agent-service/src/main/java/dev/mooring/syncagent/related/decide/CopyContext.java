package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.content.decide.ValueDigests;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.mutation.Counterparts;
import dev.mooring.syncagent.published.mutation.MutationFailure;
import dev.mooring.syncagent.related.decide.CopySnapshot.Provenance;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A snapshot with the original's content rendered, and what follows from the two. */
record CopyContext(CopySnapshot seen, Content content) {
  /** A field of these that the copy has, and the original has not, was not defaulted. */
  private static final List<String> NEVER_DEFAULTED = List.of("data", "binaryData");

  /** What of the original belongs in the copy. */
  sealed interface Content {
    record Rendered(Map<String, Object> tree) implements Content {}

    record Failed(String message) implements Content {}

    /** There is no original. */
    record None() implements Content {}
  }

  static CopyContext of(CopySnapshot seen) {
    return new CopyContext(
        seen,
        seen.original()
            .object()
            .map(original -> render(seen, original))
            .orElseGet(Content.None::new));
  }

  private static Content render(CopySnapshot seen, KubeObject original) {
    // Rules may read the name that the copy will have.
    KubeObject other = seen.copy().object().orElseGet(() -> newCopy(seen, Map.of()));
    var counterparts =
        new Counterparts(seen.rules().entry().origin(), original, Optional.of(other));
    try {
      return new Content.Rendered(
          SyncedContent.of(seen.rules().entry().mutations().spec().apply(counterparts)));
    } catch (MutationFailure e) {
      return new Content.Failed(String.valueOf(e.getMessage()));
    }
  }

  CopySnapshot.Rules rules() {
    return seen.rules();
  }

  KubeObject original() {
    return seen.original().object().orElseThrow();
  }

  KubeObject copy() {
    return seen.copy().object().orElseThrow();
  }

  ObjectRef originalRef() {
    return seen.original().ref();
  }

  ObjectRef copyRef() {
    return seen.copy().ref();
  }

  boolean isCopyThere() {
    return seen.copy().object().isPresent();
  }

  /** The rendered content; only after the check that refuses what cannot be rendered. */
  Map<String, Object> rendered() {
    return renderedIfAny().orElseThrow();
  }

  Optional<Map<String, Object>> renderedIfAny() {
    return content instanceof Content.Rendered(var tree) ? Optional.of(tree) : Optional.empty();
  }

  boolean isFromKcp() {
    return rules().entry().origin() == Side.KCP;
  }

  boolean isWrittenByOther() {
    return seen.sharers().ofCopy() == OtherOwners.THEY_WRITE;
  }

  boolean isCreatedHere() {
    return seen.copy().provenance() instanceof Provenance.CreatedHere;
  }

  /** Whether the copy carries the marks of a primary's copy, of this agent or another. */
  boolean isMarked() {
    return SourceMarks.isMarked(copy());
  }

  /** Whether the copy is another object than the recorded one, and differs from it. */
  boolean isReplaced() {
    return seen.record()
        .filter(record -> record.isAnother(copy()) && !isAsCreated(inCopy(record)))
        .isPresent();
  }

  /** Whether the agent created the copy, and no other source or agent marked it. */
  boolean isOurs() {
    return isCopyThere() && !isMarked() && seen.record().filter(this::isOurs).isPresent();
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
    return ValueDigests.resolved(record.lastKnown(), copy().tree());
  }

  /** Whether an earlier agent, or an entry of another identifier, wrote the copy. */
  boolean isOfEarlierAgent() {
    return seen.known().earlier().isPresent() && !isMarked();
  }

  /** Whether the copy has this content and, where servers add no defaults, nothing else. */
  boolean isAsCreated(Map<String, Object> wanted) {
    return isCreatedHere()
        || covers(wanted)
            && NEVER_DEFAULTED.stream()
                .allMatch(field -> copy().map(field).equals(Trees.mapOrEmpty(wanted.get(field))));
  }

  /** A server may have added defaults. */
  boolean covers(Map<String, Object> wanted) {
    return SyncedContent.threeWay(copy(), Map.of(), wanted).equals(copy());
  }

  /** The original that the record names; empty if it is not seen. */
  Optional<KubeObject> recordedOriginal(RelatedRecord record) {
    return record.original().equals(originalRef())
        ? seen.original().object()
        : seen.known().formerOriginal();
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
        && !(seen.copy().provenance() instanceof Provenance.RemovedHere);
  }

  RelatedRecord record(Ownership ownership, Map<String, Object> lastKnown) {
    return new RelatedRecord(
        seen.owner(),
        originalRef(),
        copyRef(),
        ownership,
        lastKnown,
        ownership == Ownership.INTENDED
            ? ""
            : seen.copy().object().map(KubeObject::uid).orElse(""));
  }

  RelatedAction store(Ownership ownership, Map<String, Object> lastKnown) {
    return new RelatedAction.StoreRecord(record(ownership, lastKnown));
  }

  KubeObject newCopy() {
    return newCopy(seen, rendered());
  }

  private static KubeObject newCopy(CopySnapshot seen, Map<String, Object> content) {
    ObjectRef ref = seen.copy().ref();
    return SyncedContent.asObject(
        content, ref.type().apiVersion(), seen.rules().copyKind(), ref.namespace(), ref.name());
  }

  RelatedAction patch(KubeObject desired, RelatedRecord recorded) {
    return new RelatedAction.PatchCopy(
        copyRef(), copy(), SyncedContent.patch(copy(), desired), recorded);
  }

  RelatedPlan collision(String why) {
    return new Progress.Refused(
        "NameCollision",
        ("%s \"%s\" is in the way of related object \"%s\": it %s. Nothing was changed;"
                + " rename or remove it.")
            .formatted(
                rules().copyKind(), copyRef().namespacedName(), rules().entry().identifier(), why));
  }
}
