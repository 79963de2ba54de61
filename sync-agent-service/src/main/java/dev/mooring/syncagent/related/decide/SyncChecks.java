package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.Check.act;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.content.decide.ValueDigests;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource.StatusSync;
import dev.mooring.syncagent.published.mutation.Counterparts;
import dev.mooring.syncagent.published.mutation.MutationFailure;
import dev.mooring.syncagent.related.decide.CopySnapshot.Comparison;
import dev.mooring.syncagent.related.decide.Progress.Refused;
import dev.mooring.syncagent.related.decide.Progress.Settled;
import dev.mooring.syncagent.related.decide.Progress.Waiting;
import dev.mooring.syncagent.related.decide.Progress.Warned;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The original exists, is not being deleted, and the primary names it. */
final class SyncChecks {
  static final List<Check> CHAIN =
      List.of(
          new Check("copyOfAnotherOriginal", SyncChecks::copyOfAnotherOriginal),
          new Check("formerOriginalHasFinalizer", RemovalChecks::formerOriginalHasFinalizer),
          new Check("contentNotRendered", SyncChecks::contentNotRendered),
          new Check("secretOfAnotherServer", SyncChecks::secretOfAnotherServer),
          new Check("handoverAnnounced", SyncChecks::handoverAnnounced),
          new Check("originalChanged", SyncChecks::originalChanged),
          new Check("originalWithoutFinalizer", SyncChecks::originalWithoutFinalizer),
          new Check("writtenByOtherOwner", SyncChecks::writtenByOtherOwner),
          new Check("copyHidden", SyncChecks::copyHidden),
          new Check("notRecorded", SyncChecks::notRecorded),
          new Check("copyMissing", SyncChecks::copyMissing),
          new Check("copyTerminating", SyncChecks::copyTerminating),
          new Check("copyMarkedByOther", SyncChecks::copyMarkedByOther),
          new Check("copyNotRecordedAsOurs", SyncChecks::copyNotRecordedAsOurs),
          new Check("copyRecreatedAlike", SyncChecks::copyRecreatedAlike),
          new Check("contentDiffers", SyncChecks::contentDiffers),
          new Check("recordOutdated", SyncChecks::recordOutdated),
          new Check("statusDiffers", SyncChecks::statusDiffers));

  private static final String SERVICE_ACCOUNT_TOKEN = "kubernetes.io/service-account-token";

  private SyncChecks() {}

  private static Optional<RelatedPlan> copyOfAnotherOriginal(CopySnapshot c) {
    return c.sharers().ofCopy() == OtherOwners.CONFLICT
        ? Optional.of(c.collision("is a copy of another object"))
        : Optional.empty();
  }

  private static Optional<RelatedPlan> contentNotRendered(CopySnapshot c) {
    return c.content() instanceof CopySnapshot.Content.Failed(var message)
        ? Optional.of(mutationFailed(c, message))
        : Optional.empty();
  }

  private static RelatedPlan mutationFailed(CopySnapshot c, String message) {
    return new Refused(
        "MutationFailed",
        "Related object \"%s\" cannot be passed on: %s"
            .formatted(c.rules().entry().identifier(), message));
  }

  /** Its service account is not there: the server deletes each copy. */
  private static Optional<RelatedPlan> secretOfAnotherServer(CopySnapshot c) {
    return SERVICE_ACCOUNT_TOKEN.equals(c.rendered().get("type"))
        ? Optional.of(
            new Refused(
                "SecretTypeRefused",
                ("Secret \"%s\" of related object \"%s\" has the type %s: it is valid only where"
                        + " its service account is, and servers delete copies of it. Relate a"
                        + " Secret of another type, or change the type by a mutation.")
                    .formatted(
                        c.original().ref().namespacedName(),
                        c.rules().entry().identifier(),
                        SERVICE_ACCOUNT_TOKEN)))
        : Optional.empty();
  }

  /** The primary names the copy again: storing its record withdraws the handover. */
  private static Optional<RelatedPlan> handoverAnnounced(CopySnapshot c) {
    OtherAgents agents = c.sharers().agents();
    return agents == OtherAgents.ANNOUNCING || agents == OtherAgents.ANNOUNCED
        ? c.record().flatMap(record -> act(new RelatedAction.StoreRecord(record)))
        : Optional.empty();
  }

  /** Before the new original gets its finalizer; its content is written in a step of its own. */
  private static Optional<RelatedPlan> originalChanged(CopySnapshot c) {
    return c.isFromKcp() || c.isWrittenByOther()
        ? c.record()
            .filter(record -> !record.original().equals(c.original().ref()))
            .flatMap(record -> act(new RelatedAction.StoreRecord(record.with(c.original().ref()))))
        : Optional.empty();
  }

  private static Optional<RelatedPlan> originalWithoutFinalizer(CopySnapshot c) {
    OriginalFinalizers finalizers = c.rules().finalizers();
    return c.isFromKcp() && c.record().isPresent() && !finalizers.areOn(c.originalObject())
        ? act(
            new RelatedAction.AddFinalizer(
                c.original().ref(), c.originalObject(), finalizers.addedTo(c.originalObject())))
        : Optional.empty();
  }

  /** The pass of another primary writes the copy; this one records what was last written. */
  private static Optional<RelatedPlan> writtenByOtherOwner(CopySnapshot c) {
    Optional<RelatedRecord> record = c.record();
    if (!c.isWrittenByOther() || record.isEmpty() && c.isFromKcp()) {
      return Optional.empty();
    }
    if (record.filter(RelatedRecord::isDone).isPresent() && !(c.isCopyThere() && c.isReplaced())) {
      return Optional.of(new Settled());
    }
    return c.isCopyThere() && c.covers(c.rendered())
        ? act(c.store(Ownership.MADE, c.known().earlier().orElseGet(c::rendered)))
        : Optional.of(new Waiting());
  }

  private static Optional<RelatedPlan> copyHidden(CopySnapshot c) {
    return c.rules().visibility() instanceof ClaimVisibility.Partial(var why)
            && c.record().filter(c::isCopyHidden).isPresent()
        ? Optional.of(new Refused(ClaimVisibility.NARROWED, why))
        : Optional.empty();
  }

  /**
   * Before the original gets a finalizer, which no record would name; before the copy is created,
   * which could not be recognized if the answer were lost.
   */
  private static Optional<RelatedPlan> notRecorded(CopySnapshot c) {
    return c.record().isEmpty() && (!c.isCopyThere() || c.isWrittenByOther())
        ? act(c.store(Ownership.INTENDED, c.rendered()))
        : Optional.empty();
  }

  private static Optional<RelatedPlan> copyMissing(CopySnapshot c) {
    if (c.isCopyThere()) {
      return Optional.empty();
    }
    return c.intended()
            .filter(record -> ValueDigests.match(record.lastKnown(), c.rendered()))
            .isPresent()
        ? Optional.of(create(c))
        : act(c.store(Ownership.INTENDED, c.rendered()));
  }

  private static RelatedPlan create(CopySnapshot c) {
    return switch (c.copy().namespace()) {
      case ABSENT -> new RelatedAction.CreateNamespace(c.copy().ref());
      case TERMINATING ->
          new Refused(
              "NamespaceTerminating",
              ("Namespace \"%s\" of %s is being deleted; the copy of %s \"%s\" is made there once"
                      + " that is over.")
                  .formatted(
                      c.copy().ref().namespace(),
                      c.isFromKcp() ? "the provider's cluster" : "the workspace",
                      c.originalObject().kind(),
                      c.original().ref().namespacedName()));
      case PRESENT, NOT_NEEDED -> new RelatedAction.CreateCopy(c.copy().ref(), c.newCopy());
    };
  }

  private static Optional<RelatedPlan> copyTerminating(CopySnapshot c) {
    return c.copyObject().deleting() ? Optional.of(new Waiting()) : Optional.empty();
  }

  private static Optional<RelatedPlan> copyMarkedByOther(CopySnapshot c) {
    return c.record().isPresent() && c.isMarked() && c.rules().adoption() != Adoption.ALWAYS
        ? Optional.of(c.collision("belongs to another source or agent"))
        : Optional.empty();
  }

  private static Optional<RelatedPlan> copyNotRecordedAsOurs(CopySnapshot c) {
    return c.record().filter(RelatedRecord::isDone).isEmpty() || c.isReplaced()
        ? Check.first(AdoptionChecks.CHAIN, c)
        : Optional.empty();
  }

  /** The pass of another primary created it again, with the same content. */
  private static Optional<RelatedPlan> copyRecreatedAlike(CopySnapshot c) {
    return c.record()
        .filter(record -> record.isAnother(c.copyObject()))
        .flatMap(record ->
            act(
                new RelatedAction.StoreRecord(
                    record.with(record.original(), record.lastKnown(), c.copyObject()))));
  }

  /** Which fields are going to be written is recorded before, or a lost answer would hide them. */
  private static Optional<RelatedPlan> contentDiffers(CopySnapshot c) {
    RelatedRecord record = c.record().orElseThrow();
    KubeObject changed = SyncedContent.threeWay(c.copyObject(), record.lastKnown(), c.rendered());
    KubeObject desired =
        c.rules().comparison() == Comparison.CONTENTS && record.ownership() == Ownership.MADE
            ? SyncedContent.enforced(changed, c.rendered())
            : changed;
    if (desired.equals(c.copyObject())) {
      return Optional.empty();
    }
    Map<String, Object> unsettled = SyncedContent.unsettled(record.lastKnown(), c.rendered());
    return act(
        ValueDigests.match(record.lastKnown(), unsettled)
            ? c.patch(desired, record.with(c.original().ref(), c.rendered(), c.copyObject()))
            : new RelatedAction.StoreRecord(
                record.with(c.original().ref(), unsettled, c.copyObject())));
  }

  /** The empty patch fails if the copy was read before a write whose answer was lost. */
  private static Optional<RelatedPlan> recordOutdated(CopySnapshot c) {
    RelatedRecord known = c.record().orElseThrow();
    RelatedRecord record = known.with(c.original().ref(), c.rendered(), c.copyObject());
    if (!ValueDigests.match(known.lastKnown(), c.rendered())) {
      return act(c.patch(c.copyObject(), record));
    }
    return known.original().equals(c.original().ref())
        ? Optional.empty()
        : act(new RelatedAction.StoreRecord(record));
  }

  private static Optional<RelatedPlan> statusDiffers(CopySnapshot c) {
    if (c.rules().entry().statusSync() == StatusSync.OFF) {
      return Optional.empty();
    }
    try {
      return statusDiffers(c, status(c));
    } catch (MutationFailure e) {
      return Optional.of(mutationFailed(c, String.valueOf(e.getMessage())));
    }
  }

  private static Optional<RelatedPlan> statusDiffers(CopySnapshot c, @Nullable Object status) {
    if (status == null || status.equals(c.copyObject().at("status"))) {
      return Optional.empty();
    }
    if (c.rules().copyStatus() == StatusSubresource.ABSENT) {
      return Optional.of(
          new Warned(
              "StatusSubresourceMissing",
              ("The status of related object \"%s\" cannot be synced: %s has no status"
                      + " subresource. Add one, or set syncStatus: false.")
                  .formatted(c.rules().entry().identifier(), c.copy().ref().type().qualified())));
    }
    return act(
        new RelatedAction.WriteStatus(c.copy().ref(), c.copyObject().with(status, "status")));
  }

  private static @Nullable Object status(CopySnapshot c) {
    var counterparts =
        new Counterparts(c.rules().entry().origin(), c.originalObject(), c.copy().object());
    return c.rules().entry().mutations().status().apply(counterparts).at("status");
  }
}
