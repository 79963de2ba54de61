package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.DeletionPolicy;
import dev.mooring.depwebhook.eligibility.EligibilitySource;
import dev.mooring.depwebhook.race.RaceProtection;
import dev.mooring.depwebhook.race.ReferenceReview;
import dev.mooring.depwebhook.race.decide.RaceRefusal;
import dev.mooring.depwebhook.rules.RuleSource;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Judges creations and changes of objects by the rules that want their references reviewed. */
public final class ReferenceCheck {
  private static final RaceRefusal RULES_NOT_LOADED = notReady(DeletionPolicy.NOT_LOADED);

  private static final RaceRefusal RULES_STALE = notReady(DeletionPolicy.STALE);

  private final RuleSource rules;
  private final RaceProtection race;
  private final EligibilitySource checker;

  public ReferenceCheck(RuleSource rules, RaceProtection race, EligibilitySource checker) {
    this.rules = Objects.requireNonNull(rules, "rules");
    this.race = Objects.requireNonNull(race, "race");
    this.checker = Objects.requireNonNull(checker, "checker");
  }

  /**
   * Empty if the request may go ahead. Only the rules' eligibility is interrupted if the deadline
   * leaves: it is asked once everything was taken back that was announced.
   *
   * @throws KubeFailure if the deadline leaves meanwhile
   */
  Optional<RaceRefusal> refusal(ReferenceReview review, ReviewDeadline deadline) {
    return switch (rules.current()) {
      case RuleSource.Loading(_) -> Optional.of(RULES_NOT_LOADED);
      case RuleSource.Stale(_, _) -> Optional.of(RULES_STALE);
      case RuleSource.Loaded(RuleIndex index) -> {
        List<Protection> protections =
            index.referencesFrom(GroupResource.of(review.type()), review.provider());
        yield protections.isEmpty()
            ? Optional.empty()
            : race.reference(review, protections, TimedEligibility.all(checker, deadline));
      }
    };
  }

  private static RaceRefusal notReady(String message) {
    return new RaceRefusal(503, "ServiceUnavailable", message, Duration.ofSeconds(1), "not_ready");
  }
}
