package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.model.dependency.Target;
import java.util.List;

/** Finds a target's referrers. A failed read is {@link Lookup.Incomplete}, never absence. */
@FunctionalInterface
public interface ReferrerLookup {
  /**
   * @param eligibility is asked about the rules that found something
   */
  Lookup referrers(Target target, List<DependentSearch> searches, RuleEligibility eligibility);
}
