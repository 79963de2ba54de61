package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.reading.JoinedScans;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.KubeObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What one reading of a list has shown of a target's referrers, sorted by who would be kept by
 * which protections. Which of these count is found out beside; nothing waits for it before the
 * reading is over.
 */
final class ReferrerCollector implements JoinedScans.Seeker {
  private final Target target;
  private final DependentSearch search;
  private final RuleEligibility eligibility;
  private final Map<List<Protection>, Referrers> seen = new HashMap<>();

  ReferrerCollector(Target target, DependentSearch search, RuleEligibility eligibility) {
    this.target = target;
    this.search = search;
    this.eligibility = eligibility;
  }

  @Override
  public void see(KubeObject dependent) {
    List<Protection> by = search.keptBy(dependent, target);
    if (!by.isEmpty()) {
      seen.computeIfAbsent(by, this::expected).add(search, dependent);
    }
  }

  @Override
  public boolean hasEnough() {
    return counting(eligibility::isKnownEligible).enough(search.mode());
  }

  /** Waits until it is known what counts. */
  LookupResult counting() {
    return counting(eligibility::isEligible);
  }

  private LookupResult counting(Predicate<Protection> eligible) {
    var tally = new LookupResult();
    seen.forEach((protections, referrers) -> {
      List<Protection> by = protections.stream().filter(eligible).toList();
      if (!by.isEmpty()) {
        tally.add(referrers, by);
      }
    });
    return tally;
  }

  private Referrers expected(List<Protection> by) {
    by.forEach(eligibility::prefetch);
    return new Referrers();
  }
}
