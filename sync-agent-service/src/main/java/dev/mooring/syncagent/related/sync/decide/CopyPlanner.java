package dev.mooring.syncagent.related.sync.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource.StatusSync;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.mutation.Counterparts;
import dev.mooring.syncagent.published.mutation.MutationFailure;
import dev.mooring.syncagent.related.record.decide.NamespacedName;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.OtherAgents;
import dev.mooring.syncagent.related.record.decide.Ownership;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.share.decide.ClaimVisibility;
import dev.mooring.syncagent.related.share.decide.OtherOwners;
import dev.mooring.syncagent.related.sync.decide.CopySnapshot.Provenance;
import dev.mooring.syncagent.related.sync.decide.RelatedPlan.Act;
import dev.mooring.syncagent.related.sync.decide.RelatedPlan.Await;
import dev.mooring.syncagent.related.sync.decide.RelatedPlan.InSync;
import dev.mooring.syncagent.related.sync.decide.RelatedPlan.Refuse;
import dev.mooring.syncagent.related.sync.decide.RelatedPlan.Warn;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides the next step for one copy of a related object, the same for both directions.
 *
 * <p>While the original exists and is called for: record what is intended and hold the original (in
 * kcp), make the copy or take on what has its name if the rules allow, bring content and status in
 * line. Otherwise: remove the copy, release the original, forget.
 *
 * <p>Laws: only a copy that the agent made is deleted; an original in kcp is released only when its
 * copy is gone or left to others, and forgotten last.
 */
public final class CopyPlanner {
  /** What is in these of a Secret or ConfigMap, and not of its original, is somebody else's. */
  private static final List<String> NEVER_DEFAULTED = List.of("data", "binaryData");

  public static final String NARROWED = "ClaimNarrowed";

  private final CopySnapshot seen;
  private final CopySnapshot.Rules rules;

  public CopyPlanner(CopySnapshot seen) {
    this.seen = seen;
    this.rules = seen.rules();
  }

  /** The original exists, is to stay, and the primary calls for it. */
  public RelatedPlan sync() {
    KubeObject original = seen.original().orElseThrow();
    if (seen.otherCopyOwners() == OtherOwners.CONFLICT) {
      return collision("is a copy of another object");
    }
    Optional<RelatedAction> leaving = releaseFormer();
    if (leaving.isPresent()) {
      return new Act(leaving.get());
    }
    try {
      return sync(original, content(original));
    } catch (MutationFailure e) {
      return new Refuse(
          "MutationFailed",
          "Related object \""
              + rules.entry().identifier()
              + "\" cannot be passed on: "
              + e.getMessage());
    }
  }

  private RelatedPlan sync(KubeObject original, Map<String, Object> content) {
    if (seen.record().isEmpty()) {
      return unrecorded(content);
    }
    RelatedRecord record = seen.record().get();
    if (seen.otherAgents() == OtherAgents.ANNOUNCING
        || seen.otherAgents() == OtherAgents.ANNOUNCED) {
      return new Act(new RelatedAction.StoreRecord(record)); // it is needed here all the same
    }
    boolean leads = seen.otherCopyOwners() != OtherOwners.THEY_WRITE;
    if (!record.original().equals(seen.originalRef()) && (fromKcp() || !leads)) {
      // Before the new original is held; its content goes to the copy in a step of its own.
      return new Act(new RelatedAction.StoreRecord(record.knowing(seen.originalRef())));
    }
    if (fromKcp() && !rules.hold().holds(original)) {
      return new Act(
          new RelatedAction.AddFinalizer(
              seen.originalRef(), original, rules.hold().held(original)));
    }
    if (!leads) {
      return record.isDone() && seen.copy().filter(copy -> isReplaced(record, copy)).isEmpty()
          ? new InSync()
          : follow(content);
    }
    if (rules.visibility() instanceof ClaimVisibility.Partial(var why) && isCopyHidden(record)) {
      return new Refuse(NARROWED, why);
    }
    if (seen.copy().isEmpty()) {
      return record.ownership() == Ownership.INTENDED && record.lastKnown().equals(content)
          ? make(original, content)
          : new Act(new RelatedAction.StoreRecord(intended(content)));
    }
    KubeObject copy = seen.copy().get();
    if (copy.deleting()) {
      return new Await();
    }
    if (SourceMarks.claimed(copy) && rules.adoption() != Adoption.ALWAYS) {
      return collision("belongs to someone else");
    }
    return record.ownership() == Ownership.INTENDED || isReplaced(record, copy)
        ? adopt(content, copy)
        : update(original, content, copy, record);
  }

  /** Nothing calls for the copy any more; in sync means that there is nothing left of it. */
  public RelatedPlan remove() {
    Optional<RelatedPlan> hidden = hidden();
    if (hidden.isPresent()) {
      return hidden.get();
    }
    if (seen.record().isPresent()) {
      RelatedRecord record = seen.record().get();
      Optional<KubeObject> ours =
          seen.copy()
              .filter(copy -> isOurs(record, copy) && seen.otherCopyOwners() == OtherOwners.NONE);
      Optional<RelatedPlan> removal = ours.flatMap(copy -> remove(record, copy));
      if (removal.isPresent()) {
        return removal.get();
      }
    }
    boolean meantThisOne =
        seen.record().map(r -> r.original().equals(seen.originalRef())).orElse(true);
    return release(meantThisOne ? seen.original() : Optional.empty(), seen.originalRef())
        .or(this::releaseFormer)
        .or(this::forget)
        .<RelatedPlan>map(Act::new)
        .orElseGet(InSync::new);
  }

  /** Empty if it is left to other agents. No copy outlives its original, whoever needs it. */
  private Optional<RelatedPlan> remove(RelatedRecord record, KubeObject copy) {
    if (copy.deleting()) {
      return Optional.of(new Await());
    }
    if (recorded(record).filter(original -> !original.deleting()).isPresent()) {
      switch (seen.otherAgents()) {
        case NONE -> {}
        case NOT_ANNOUNCED -> {
          return Optional.of(new Act(new RelatedAction.AnnounceHandover(record)));
        }
        case ANNOUNCING -> {
          return Optional.of(new Await());
        }
        case ANNOUNCED -> {
          return Optional.empty();
        }
      }
    }
    return Optional.of(new Act(new RelatedAction.DeleteCopy(seen.copyRef(), copy, unseen(record))));
  }

  private Optional<KubeObject> recorded(RelatedRecord record) {
    return record.original().equals(seen.originalRef()) ? seen.original() : seen.formerOriginal();
  }

  /** The original in kcp, if it is not seen. */
  private Optional<ObjectRef> unseen(RelatedRecord record) {
    return Optional.of(record.original())
        .filter(ref -> ref.side() == Side.KCP && recorded(record).isEmpty());
  }

  /**
   * What the consumer may only hide is not taken for gone. An original that is held goes after its
   * copy, so it was hidden before; without its copy, it is gone as far as anyone can tell.
   */
  private Optional<RelatedPlan> hidden() {
    if (!(rules.visibility() instanceof ClaimVisibility.Partial(var why))
        || seen.record().isEmpty()) {
      return Optional.empty();
    }
    RelatedRecord record = seen.record().get();
    boolean isHidden =
        record.original().side() == Side.KCP
            ? unseen(record).isPresent()
                && seen.copy().filter(copy -> isOurs(record, copy)).isPresent()
            : isCopyHidden(record);
    return isHidden ? Optional.of(new Refuse(NARROWED, why)) : Optional.empty();
  }

  private boolean isCopyHidden(RelatedRecord record) {
    return record.copy().side() == Side.KCP
        && record.isDone()
        && seen.copy().isEmpty()
        && !(seen.provenance() instanceof Provenance.RemovedHere);
  }

  private Optional<RelatedAction> forget() {
    // What has the copy's name and is not ours stays; only if nothing is seen there is it gone.
    return seen.record()
        .map(record ->
            seen.copy().isPresent()
                ? new RelatedAction.Disown(record)
                : new RelatedAction.DeleteRecord(record, seen.emptied()));
  }

  /** As {@link #remove}, for a copy that may have been made and not been recorded. */
  public RelatedPlan cleanUp() {
    if (seen.record().isEmpty()
        && seen.otherCopyOwners() == OtherOwners.NONE
        && seen.otherAgents() == OtherAgents.NONE) {
      Optional<Map<String, Object>> content = seen.original().flatMap(this::contentIfAny);
      if (content.isPresent()
          && seen.copy()
              .filter(copy -> isAsMade(content.get(), copy) || wasMadeEarlier(copy))
              .isPresent()) {
        return new Act(new RelatedAction.StoreRecord(recorded(Ownership.MADE, content.get())));
      }
    }
    return remove();
  }

  private boolean wasMadeEarlier(KubeObject copy) {
    return seen.earlier().isPresent() && !SourceMarks.claimed(copy);
  }

  /** What of the original goes into the copy; throws {@link MutationFailure}. */
  private Map<String, Object> content(KubeObject original) {
    return SyncedContent.of(
        rules.entry().mutations().spec().apply(new Counterparts(side(), original, other())));
  }

  /** Nothing was ever made of an original that cannot be passed on. */
  private Optional<Map<String, Object>> contentIfAny(KubeObject original) {
    try {
      return Optional.of(content(original));
    } catch (MutationFailure e) {
      return Optional.empty();
    }
  }

  private Side side() {
    return fromKcp() ? Side.KCP : Side.SERVICE;
  }

  /** Rules may read the name that the copy will have. */
  private Optional<KubeObject> other() {
    return Optional.of(seen.copy().orElseGet(() -> newCopy(Map.of())));
  }

  private KubeObject newCopy(Map<String, Object> content) {
    return SyncedContent.asObject(
        content,
        seen.copyRef().type().apiVersion(),
        rules.copyKind(),
        seen.copyRef().namespace(),
        seen.copyRef().name());
  }

  /** Somebody removed the copy and made something else by its name before the agent saw it. */
  private boolean isReplaced(RelatedRecord record, KubeObject copy) {
    return record.isAnother(copy) && !isAsMade(record.lastKnown(), copy);
  }

  private boolean isOurs(RelatedRecord record, KubeObject copy) {
    if (SourceMarks.claimed(copy)) {
      return false; // whatever it was, it has become another's
    }
    return switch (record.ownership()) {
      case MADE -> !isReplaced(record, copy);
      case ADOPTED -> false;
      // Made, perhaps, and then not recorded so: only if it is what was to be made.
      case INTENDED -> isCreatedHere() || covers(copy, record.lastKnown());
    };
  }

  private Optional<RelatedAction> releaseFormer() {
    return seen.record().flatMap(record -> release(seen.formerOriginal(), record.original()));
  }

  private Optional<RelatedAction> release(Optional<KubeObject> original, ObjectRef ref) {
    // Wherever the entry's originals are by now.
    return original
        .filter(_ -> ref.side() == Side.KCP && seen.otherOriginalOwners() == OtherOwners.NONE)
        .filter(rules.hold()::remainsOn)
        .map(held -> new RelatedAction.RemoveFinalizer(ref, held, rules.hold().released(held)));
  }

  private RelatedPlan unrecorded(Map<String, Object> content) {
    if (seen.otherCopyOwners() == OtherOwners.THEY_WRITE && !fromKcp()) {
      return follow(content);
    }
    if (seen.copy().isEmpty() || seen.otherCopyOwners() == OtherOwners.THEY_WRITE) {
      // Before the original is held, which nobody would know of; before the copy is made, which
      // nobody would know to be ours if the answer were lost.
      return new Act(new RelatedAction.StoreRecord(intended(content)));
    }
    KubeObject copy = seen.copy().get();
    return copy.deleting() ? new Await() : adopt(content, copy);
  }

  /** Another primary's pass writes the copy; this one only remembers that it needs it, too. */
  private RelatedPlan follow(Map<String, Object> content) {
    return seen.copy().filter(copy -> covers(copy, content)).isPresent()
        ? new Act(new RelatedAction.StoreRecord(recorded(Ownership.MADE, content)))
        : new Await();
  }

  private RelatedPlan make(KubeObject original, Map<String, Object> content) {
    NamespacedName place = seen.copyRef().namespacedName();
    return switch (seen.copyNamespace()) {
      case ABSENT -> new Act(new RelatedAction.CreateNamespace(seen.copyRef()));
      case TERMINATING ->
          new Refuse(
              "NamespaceTerminating",
              "Namespace \""
                  + place.namespace()
                  + "\" is being deleted; the copy of "
                  + original.kind()
                  + " \""
                  + seen.originalRef().namespacedName()
                  + "\" is made there once that is over.");
      case PRESENT, NOT_NEEDED ->
          new Act(new RelatedAction.CreateCopy(seen.copyRef(), newCopy(content)));
    };
  }

  /** Something has the copy's name: just made and not recorded so, ours of old, or a stranger. */
  private RelatedPlan adopt(Map<String, Object> content, KubeObject copy) {
    if (seen.provenance() instanceof Provenance.CreatedHere(var then)) {
      // Not as the original is now: what it changed since is due.
      return new Act(new RelatedAction.StoreRecord(recorded(Ownership.MADE, then)));
    }
    if (isAsMade(content, copy)) {
      return new Act(new RelatedAction.StoreRecord(recorded(Ownership.MADE, content)));
    }
    Optional<RelatedRecord> intention =
        seen.record().filter(record -> isOurs(record, copy)).filter(record -> !record.isDone());
    if (intention.isPresent()) {
      return new Act(
          new RelatedAction.StoreRecord(recorded(Ownership.MADE, intention.get().lastKnown())));
    }
    if (wasMadeEarlier(copy)) {
      // Changes since then are due, and what differs beside them is somebody's on this side.
      return new Act(new RelatedAction.StoreRecord(recorded(Ownership.MADE, seen.earlier().get())));
    }
    return switch (rules.adoption()) {
      case ALWAYS -> {
        KubeObject desired = SyncedContent.overlay(copy, content);
        yield desired.equals(copy)
            ? new Act(new RelatedAction.StoreRecord(recorded(Ownership.MADE, content)))
            : patch(copy, desired);
      }
      case UNCLAIMED ->
          SourceMarks.claimed(copy)
              ? collision("belongs to someone else")
              : new Act(new RelatedAction.StoreRecord(recorded(Ownership.ADOPTED, content)));
      case MARKED, NEVER -> collision("is not a copy of it");
    };
  }

  private RelatedPlan update(
      KubeObject original, Map<String, Object> content, KubeObject copy, RelatedRecord record) {
    if (record.isAnother(copy)) {
      // Like the one before, and made by another primary's pass: by this one it is known from now.
      return new Act(
          new RelatedAction.StoreRecord(
              record.knowing(record.original(), record.lastKnown(), copy)));
    }
    KubeObject desired = SyncedContent.threeWay(copy, record.lastKnown(), content);
    if (!desired.equals(copy)) {
      return patch(copy, desired);
    }
    if (!record.lastKnown().equals(content) || !record.original().equals(seen.originalRef())) {
      return new Act(
          new RelatedAction.StoreRecord(record.knowing(seen.originalRef(), content, copy)));
    }
    return status(original, copy);
  }

  private RelatedPlan status(KubeObject original, KubeObject copy) {
    if (rules.entry().statusSync() == StatusSync.OFF) {
      return new InSync();
    }
    Object status =
        rules
            .entry()
            .mutations()
            .status()
            .apply(new Counterparts(side(), original, Optional.of(copy)))
            .at("status");
    if (status == null || status.equals(copy.at("status"))) {
      return new InSync();
    }
    if (rules.copyStatus() == StatusSubresource.ABSENT) {
      return new Warn(
          "StatusSubresourceMissing",
          "The status of related object \""
              + rules.entry().identifier()
              + "\" cannot be synced: "
              + seen.copyRef().type().qualified()
              + " has no status subresource. Add one, or set syncStatus: false.");
    }
    return new Act(new RelatedAction.WriteStatus(seen.copyRef(), copy.with(status, "status")));
  }

  private RelatedPlan patch(KubeObject copy, KubeObject desired) {
    return new Act(
        new RelatedAction.PatchCopy(seen.copyRef(), copy, SyncedContent.patch(copy, desired)));
  }

  private RelatedPlan collision(String why) {
    return new Refuse(
        "NameCollision",
        rules.copyKind()
            + " \""
            + seen.copyRef().namespacedName()
            + "\" is in the way of related object \""
            + rules.entry().identifier()
            + "\": it "
            + why
            + ". Nothing was changed; rename or remove it.");
  }

  private boolean isAsMade(Map<String, Object> content, KubeObject copy) {
    return isCreatedHere()
        || covers(copy, content)
            && NEVER_DEFAULTED.stream()
                .allMatch(field ->
                    Trees.mapOrEmpty(copy.at(field)).equals(Trees.mapOrEmpty(content.get(field))));
  }

  private boolean isCreatedHere() {
    return seen.provenance() instanceof Provenance.CreatedHere;
  }

  /** A server may have added defaults. */
  private static boolean covers(KubeObject copy, Map<String, Object> content) {
    return SyncedContent.threeWay(copy, Map.of(), content).equals(copy);
  }

  private RelatedRecord intended(Map<String, Object> content) {
    return recorded(Ownership.INTENDED, content);
  }

  private RelatedRecord recorded(Ownership ownership, Map<String, Object> content) {
    return new RelatedRecord(
        seen.owner(),
        seen.originalRef(),
        seen.copyRef(),
        ownership,
        content,
        ownership == Ownership.INTENDED ? "" : seen.copy().map(KubeObject::uid).orElse(""));
  }

  private boolean fromKcp() {
    return rules.entry().origin() == Side.KCP;
  }
}
