package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.AdmissionDecision;

/** Receives the decisions on deletions that are no dry runs. Thread-safe; must not block. */
@FunctionalInterface
public interface DecisionListener {
  void decided(Review.Deletion review, AdmissionDecision decision);
}
