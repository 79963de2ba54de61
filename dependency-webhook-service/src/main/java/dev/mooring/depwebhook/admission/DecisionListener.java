package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.DeletionDecision;

/** Hears what became of deletions that are really meant. Called by many threads; must be quick. */
@FunctionalInterface
public interface DecisionListener {
  /** Hears nothing. */
  DecisionListener NONE = (_, _) -> {};

  void decided(Review.Deletion review, DeletionDecision decision);
}
