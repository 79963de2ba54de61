package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.eligibility.EligibilitySource;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.depwebhook.rules.decide.Protection;

/** Checks eligibility within the deadline of a review. */
record TimedEligibility(RuleEligibility eligibility, ReviewDeadline deadline)
    implements RuleEligibility {
  /** For every consumer and target type. */
  static EligibilitySource all(EligibilitySource checker, ReviewDeadline deadline) {
    return (consumer, targets) -> new TimedEligibility(checker.of(consumer, targets), deadline);
  }

  @Override
  public boolean isEligible(Protection protection) {
    return deadline.during(() -> eligibility.isEligible(protection));
  }

  @Override
  public void prefetch(Protection protection) {
    eligibility.prefetch(protection);
  }

  @Override
  public boolean isKnownEligible(Protection protection) {
    return eligibility.isKnownEligible(protection);
  }

  @Override
  public void prefetchWorkspace() {
    eligibility.prefetchWorkspace();
  }

  @Override
  public WorkspaceState confirmedWorkspace() {
    return deadline.during(eligibility::confirmedWorkspace);
  }

  @Override
  public WorkspaceState workspace() {
    return deadline.during(eligibility::workspace);
  }
}
