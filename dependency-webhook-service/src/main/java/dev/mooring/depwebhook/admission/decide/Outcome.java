package dev.mooring.depwebhook.admission.decide;

import java.util.Locale;

/** What a review came to; the values bound the number of series of a metric. */
public enum Outcome {
  /** The caller bypasses all rules. */
  SKIP_PROTECTION("skipped"),
  NO_RULES("allowed_unprotected"),
  NO_REFERRERS("allowed"),
  /** There are referrers, but their rules only warn or audit. */
  TOLERATED,
  WORKSPACE_TERMINATING,
  /** It could not be evaluated, and the webhook entry denies nothing without that. */
  UNCHECKED,
  DENIED,
  /** A conflicting request is in flight: a retry helps. */
  IN_FLIGHT,
  /** Rules are not loaded, or stale. */
  NOT_READY,
  /** Dependents could not be read. */
  LOOKUP_FAILED,
  MALFORMED,
  REFERENCE_ALLOWED,
  REFERENCE_REFUSED,
  NOT_A_DELETION,
  NOTIFIED,
  TIMED_OUT,
  FAILED;

  private final String label;

  Outcome() {
    this.label = name().toLowerCase(Locale.ROOT);
  }

  Outcome(String label) {
    this.label = label;
  }

  /** For metrics. */
  public String label() {
    return label;
  }
}
