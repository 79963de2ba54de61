package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.access.Caller;
import java.util.List;
import java.util.Optional;

/**
 * The question what refers to the target of a deletion.
 *
 * @param uid of the target
 * @param protections of the target that the caller does not bypass
 * @param eligibility of rules; asked about those that found something
 * @param reader of the result, who need not be allowed to list what refers to the target; empty for
 *     the operator of the webhook, who is
 * @param claimed a referrer that was just read, and that an index may not show yet
 */
public record DeletionQuery(
    Target target,
    String uid,
    Recording recording,
    List<MatchedRule> protections,
    RuleEligibility eligibility,
    Optional<Caller> reader,
    Deadline deadline,
    Optional<Claimed> claimed) {
  public DeletionQuery {
    protections = List.copyOf(protections);
  }

  /**
   * A referrer.
   *
   * @param type in the version of its rule
   */
  public record Claimed(ResourceType type, KubeObject object) {}

  public DeletionQuery with(Optional<Claimed> referrer) {
    return new DeletionQuery(
        target, uid, recording, protections, eligibility, reader, deadline, referrer);
  }

  /** One search for each dependent type. */
  public List<DependentSearch> searches() {
    return DependentSearch.forAll(protections);
  }
}
