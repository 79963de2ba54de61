package dev.mooring.depwebhook.eligibility;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;

/** Which rules may protect a consumer's objects. Thread-safe. */
@FunctionalInterface
public interface EligibilitySource {
  /** Every rule may, everywhere. */
  EligibilitySource EVERY = (_, _) -> RuleEligibility.EVERY;

  /**
   * For one review.
   *
   * @param targets the type of the protected objects
   */
  RuleEligibility of(LogicalCluster consumer, GroupResource targets);
}
