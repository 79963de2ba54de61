package dev.mooring.depwebhook.eligibility;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;

/** Tells which rules may speak for a consumer's objects. Thread-safe. */
@FunctionalInterface
public interface EligibilitySource {
  /** Every rule may, everywhere. */
  EligibilitySource EVERY = (_, _) -> RuleEligibility.EVERY;

  /**
   * For one judgement.
   *
   * @param targets the type of what is referred to
   */
  RuleEligibility of(LogicalCluster consumer, GroupResource targets);
}
