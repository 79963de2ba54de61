package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.Check.act;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.SyncedContent;
import java.util.List;
import java.util.Optional;

/** An object has the copy's name, and is not recorded as the copy. */
final class AdoptionChecks {
  static final List<Check> CHAIN =
      List.of(
          new Check("createdByThisProcess", AdoptionChecks::createdByThisProcess),
          new Check("asItWouldBeCreated", AdoptionChecks::asItWouldBeCreated),
          new Check("asIntended", AdoptionChecks::asIntended),
          new Check("ofEarlierAgent", AdoptionChecks::ofEarlierAgent),
          new Check("intendedByOtherOwner", AdoptionChecks::intendedByOtherOwner),
          new Check("byAdoptionRule", AdoptionChecks::byAdoptionRule));

  private AdoptionChecks() {}

  /** With the content that it was created with: what the original changed since is due. */
  private static Optional<RelatedPlan> createdByThisProcess(CopySnapshot c) {
    return c.copy().provenance() instanceof CopySnapshot.Provenance.CreatedHere(var content)
        ? act(c.store(Ownership.MADE, content))
        : Optional.empty();
  }

  private static Optional<RelatedPlan> asItWouldBeCreated(CopySnapshot c) {
    return c.isAsCreated(c.rendered())
        ? act(c.store(Ownership.MADE, c.rendered()))
        : Optional.empty();
  }

  private static Optional<RelatedPlan> asIntended(CopySnapshot c) {
    return c.intended()
        .filter(_ -> c.isOurs())
        .flatMap(record -> act(c.store(Ownership.MADE, record.lastKnown())));
  }

  /** Changes since then are due; what else differs was changed on the copy's side. */
  static Optional<RelatedPlan> ofEarlierAgent(CopySnapshot c) {
    return c.isOfEarlierAgent()
        ? c.known().earlier().flatMap(content -> act(c.store(Ownership.MADE, content)))
        : Optional.empty();
  }

  /** It may be their copy, edited since: with an intention of its own this owner can tell. */
  private static Optional<RelatedPlan> intendedByOtherOwner(CopySnapshot c) {
    return c.record().isEmpty() && c.sharers().heir().isPresent()
        ? act(c.store(Ownership.INTENDED, c.rendered()))
        : Optional.empty();
  }

  private static Optional<RelatedPlan> byAdoptionRule(CopySnapshot c) {
    return switch (c.rules().adoption()) {
      case ALWAYS -> {
        KubeObject desired = SyncedContent.overlay(c.copyObject(), c.rendered());
        yield act(
            desired.equals(c.copyObject())
                ? c.store(Ownership.MADE, c.rendered())
                : c.patch(desired, c.record(Ownership.MADE, c.rendered())));
      }
      case UNCLAIMED ->
          c.isMarked()
              ? Optional.of(c.collision("belongs to another source or agent"))
              : act(c.store(Ownership.ADOPTED, c.rendered()));
      case MARKED, NEVER -> Optional.of(c.collision("is not a copy of it"));
    };
  }
}
