package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.admission.ReferenceGate;
import dev.mooring.depwebhook.admission.Review;
import dev.mooring.depwebhook.admission.decide.DeletionPolicy;
import dev.mooring.depwebhook.eligibility.EligibilityChecker;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.rules.RuleSource;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.runtime.client.KubeFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Judges creations and changes of objects by the rules that want their references reviewed. */
public record ReferenceCheck(RuleSource rules, RaceProtection race, EligibilityChecker checker)
    implements ReferenceGate {
  private static final ClientRefusal RULES_NOT_LOADED =
      ClientRefusal.unavailable(DeletionPolicy.NOT_LOADED, DeletionPolicy.NOT_LOADED);

  private static final ClientRefusal RULES_STALE =
      ClientRefusal.unavailable(DeletionPolicy.STALE, DeletionPolicy.STALE);

  /** Throws a {@link KubeFailure} if the deadline expires while eligibility is checked. */
  @Override
  public Optional<ClientRefusal> checkReferences(Review.CreateOrUpdate review, Deadline deadline) {
    return switch (rules.current()) {
      case Rules.Loading(_) -> Optional.of(RULES_NOT_LOADED);
      case Rules.Stale(_, _) -> Optional.of(RULES_STALE);
      case Rules.Loaded(var index) -> {
        List<MatchedRule> protections =
            index.referencesFrom(GroupResource.of(review.type()), review.provider());
        yield protections.isEmpty()
            ? Optional.empty()
            : new ReferenceRace(race.context(), review, deadline)
                .refusal(protections, all -> eligible(review, all, deadline));
      }
    };
  }

  private List<MatchedRule> eligible(
      Review.CreateOrUpdate review, List<MatchedRule> protections, Deadline deadline) {
    var byTarget = new HashMap<GroupResource, RuleEligibility>();
    Function<MatchedRule, RuleEligibility> of =
        protection ->
            byTarget.computeIfAbsent(
                GroupResource.of(protection.dependency().target()),
                targets -> checker.eligibilityIn(review.cluster(), targets, deadline));
    protections.forEach(protection -> of.apply(protection).prefetch(protection));
    return protections.stream()
        .filter(protection -> of.apply(protection).isEligible(protection))
        .toList();
  }
}
