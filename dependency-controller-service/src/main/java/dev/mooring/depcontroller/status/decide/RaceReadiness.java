package dev.mooring.depcontroller.status.decide;

import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Installed;
import dev.mooring.depcontroller.guard.decide.Installation.Pending;
import dev.mooring.depcontroller.guard.decide.ReferenceGuard;
import dev.mooring.depcontroller.status.decide.StatusFacts.WebhookDelay;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.FieldFindings;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.WebhookContract;
import dev.mooring.model.object.KubeObject;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/**
 * Since when a rule under race protection can be relied on: requests that began before its
 * references and deletions were both reviewed may still be under way.
 */
final class RaceReadiness {
  static final String TYPE = "RaceProtected";

  private static final Duration COMMIT_AND_SKEW =
      WebhookContract.COMMIT_MAX.plus(WebhookContract.CLOCK_SKEW_MAX);

  private RaceReadiness() {}

  static Condition of(
      DependencyRule rule,
      List<DependencyState> states,
      StatusFacts facts,
      KubeObject object,
      Instant now) {
    if (rule.enforcement().mode() != Mode.DENY) {
      return Condition.unmet(
          TYPE,
          "NothingRefused",
          ("a rule of mode %s refuses nothing, so a reference and a deletion may both succeed: set"
                  + " mode to Deny")
              .formatted(rule.enforcement().mode().text()));
    }
    if (rule.dependent().isCore()) {
      return Condition.unmet(TYPE, RuleConditions.NOT_INTERCEPTABLE, RuleConditions.INTERCEPTABLE);
    }
    Optional<String> version = facts.versionProblem(rule);
    if (version.isPresent()) {
      return Condition.unmet(TYPE, StatusFacts.VERSION_NOT_SERVED, version.get());
    }
    if (!facts.resolvedRules().fields(rule).problems().isEmpty()) {
      return Condition.unmet(
          TYPE, FieldFindings.NOT_IN_SCHEMA, "references cannot be read; see condition Accepted");
    }
    switch (facts.installations().get(rule.key().cluster())) {
      case Installed(var coverage, var policy)
          when coverage.reviews(rule.dependent().type(), ReferenceGuard.of(rule)) -> {
        if (policy == FailurePolicy.IGNORE) {
          return Condition.unmet(
              TYPE,
              "FailurePolicyIgnore",
              "without an answer of the webhook every deletion is allowed: set the controller's"
                  + " webhook-failure-policy to FAIL");
        }
      }
      case Blocked(var cause, var message) -> {
        return Condition.unmet(TYPE, cause.reason(), message);
      }
      case Installed(_, _), Pending() -> {
        return notReviewed();
      }
      case null -> {
        return notReviewed();
      }
    }
    Optional<DependencyState> missing = states.stream().filter(s -> !s.isInstalled()).findFirst();
    if (missing.isPresent()) {
      return Condition.unmet(TYPE, missing.get().state(), missing.get().message());
    }
    return settled(rule.generation(), settling(facts.delay()), object, now);
  }

  private static Condition notReviewed() {
    return Condition.unmet(
        TYPE,
        "ReferencesNotReviewed",
        "the rule's own workspace does not ask the webhook about new references yet");
  }

  /**
   * How long requests from before may take effect: a replica of the webhook that has not received
   * the rule admits them, they commit, and an index does not contain their writes yet. Replication
   * of configurations to other shards takes a small part of that time, and cannot be observed.
   */
  static Duration settling(WebhookDelay delay) {
    return delay.rules().plus(COMMIT_AND_SKEW).plus(delay.index());
  }

  /** An edit restarts it: references in a field that no rule named before are not registered. */
  private static Condition settled(long generation, Duration time, KubeObject object, Instant now) {
    var held =
        Condition.met(TYPE, "Protected", "a reference and a deletion never both succeed")
            .untilAnEdit();
    if (held.since(object, generation).isPresent()) {
      return held;
    }
    var settling =
        Condition.unknown(
                TYPE,
                "Settling",
                "requests from before may still take effect, for at most %d s"
                    .formatted(time.toSeconds()))
            .untilAnEdit();
    Optional<Instant> begun = settling.since(object, generation).flatMap(RaceReadiness::instant);
    return begun.isPresent() && !now.isBefore(begun.get().plus(time)) ? held : settling;
  }

  private static Optional<Instant> instant(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
