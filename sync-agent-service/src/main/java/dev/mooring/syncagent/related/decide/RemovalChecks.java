package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.Check.act;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.DeletionPropagation;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.Progress.Refused;
import dev.mooring.syncagent.related.decide.Progress.Waiting;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The primary does not name the copy, or the original or the primary is gone or going. */
final class RemovalChecks {
  /** While the primary exists. */
  static final List<Check> CHAIN =
      List.of(
          new Check("originalOrCopyHidden", RemovalChecks::originalOrCopyHidden),
          new Check("copyTerminating", RemovalChecks::copyTerminating),
          new Check("neededByOtherAgents", RemovalChecks::neededByOtherAgents),
          new Check("intendedByOtherOwner", RemovalChecks::intendedByOtherOwner),
          new Check("copyIsOurs", RemovalChecks::copyIsOurs),
          new Check("originalHasFinalizer", RemovalChecks::originalHasFinalizer),
          new Check("formerOriginalHasFinalizer", RemovalChecks::formerOriginalHasFinalizer),
          new Check("recorded", RemovalChecks::recorded));

  private static final Check CREATED =
      new Check("createdAndNotRecorded", RemovalChecks::createdAndNotRecorded);

  /** While the primary is being deleted, and its copy is there. */
  static final List<Check> KEEPING =
      List.of(CREATED, new Check("ofEarlierAgent", AdoptionChecks::ofEarlierAgent));

  /** Once the copy of a primary that is being deleted is gone. */
  static final List<Check> WITH_PRIMARY =
      Stream.concat(Stream.of(CREATED), CHAIN.stream()).toList();

  private RemovalChecks() {}

  /** A copy that was created, and whose record was never written. */
  private static Optional<RelatedPlan> createdAndNotRecorded(CopySnapshot c) {
    return c.record().isEmpty()
            && c.sharers().ofCopy() == OtherOwners.NONE
            && c.sharers().agents() == OtherAgents.NONE
            && c.isCopyThere()
            && c.withContent().content() instanceof CopySnapshot.Content.Rendered(var content)
            && (c.isAsCreated(content) || c.isOfEarlierAgent())
        ? act(c.store(Ownership.MADE, content))
        : Optional.empty();
  }

  /**
   * An object that the consumer may hide does not count as absent. An original with our finalizer
   * is deleted after its copy: while the copy exists, an original that is not seen is hidden.
   */
  private static Optional<RelatedPlan> originalOrCopyHidden(CopySnapshot c) {
    return c.rules().visibility() instanceof ClaimVisibility.Partial(var why)
        ? c.record()
            .filter(record ->
                record.original().side() == Side.KCP
                    ? c.unseenOriginal(record).isPresent() && c.isOurs()
                    : c.isCopyHidden(record))
            .map(_ -> new Refused(ClaimVisibility.NARROWED, why))
        : Optional.empty();
  }

  private static Optional<RelatedPlan> copyTerminating(CopySnapshot c) {
    return isDeletable(c) && c.copyObject().deleting()
        ? Optional.of(new Waiting())
        : Optional.empty();
  }

  /** No copy outlives its original, even if other agents need it. */
  private static Optional<RelatedPlan> neededByOtherAgents(CopySnapshot c) {
    if (!isDeletable(c) || !isOriginalAlive(c)) {
      return Optional.empty();
    }
    return switch (c.sharers().agents()) {
      case NOT_ANNOUNCED -> act(new RelatedAction.AnnounceHandover(record(c)));
      case ANNOUNCING -> Optional.of(new Waiting());
      case NONE, ANNOUNCED -> Optional.empty();
    };
  }

  /** The other owner's primary may be going, too: its own copy's end may need this copy. */
  private static Optional<RelatedPlan> intendedByOtherOwner(CopySnapshot c) {
    return c.sharers()
        .heir()
        .filter(_ -> isDeletable(c))
        .flatMap(heir -> act(new RelatedAction.StoreRecord(heir.as(record(c), c.copyObject()))));
  }

  private static Optional<RelatedPlan> copyIsOurs(CopySnapshot c) {
    return isDeletable(c) && !(c.sharers().agents() == OtherAgents.ANNOUNCED && isOriginalAlive(c))
        ? act(
            new RelatedAction.DeleteCopy(
                c.copy().ref(), c.copyObject(), c.unseenOriginal(record(c)), propagation(c)))
        : Optional.empty();
  }

  /** Only consumers choose it, and only for what is theirs. */
  private static DeletionPropagation propagation(CopySnapshot c) {
    return DeletionPropagation.of(
        c.recordedOriginal(record(c)).filter(_ -> record(c).original().side() == Side.KCP));
  }

  private static boolean isDeletable(CopySnapshot c) {
    return c.isOurs() && c.sharers().ofCopy() == OtherOwners.NONE;
  }

  private static boolean isOriginalAlive(CopySnapshot c) {
    return c.recordedOriginal(record(c)).filter(original -> !original.deleting()).isPresent();
  }

  private static RelatedRecord record(CopySnapshot c) {
    return c.record().orElseThrow();
  }

  private static Optional<RelatedPlan> originalHasFinalizer(CopySnapshot c) {
    boolean isRecordedOne =
        c.record().map(record -> record.original().equals(c.original().ref())).orElse(true);
    return isRecordedOne
        ? removeFinalizer(c, c.original().object(), c.original().ref())
        : Optional.empty();
  }

  static Optional<RelatedPlan> formerOriginalHasFinalizer(CopySnapshot c) {
    return c.record()
        .flatMap(record -> removeFinalizer(c, c.known().formerOriginal(), record.original()));
  }

  /** Also where the entry's originals are on the service cluster by now. */
  private static Optional<RelatedPlan> removeFinalizer(
      CopySnapshot c, Optional<KubeObject> original, ObjectRef ref) {
    OriginalFinalizers finalizers = c.rules().finalizers();
    return original
        .filter(_ -> ref.side() == Side.KCP && c.sharers().ofOriginal() == OtherOwners.NONE)
        .filter(finalizers::remainOn)
        .flatMap(held ->
            act(new RelatedAction.RemoveFinalizer(ref, held, finalizers.removedFrom(held))));
  }

  /** An object of the copy's name that is not ours stays. */
  private static Optional<RelatedPlan> recorded(CopySnapshot c) {
    return c.record()
        .flatMap(record ->
            act(
                c.isCopyThere()
                    ? new RelatedAction.Disown(record)
                    : new RelatedAction.DeleteRecord(record, c.known().emptyNamespace())));
  }
}
