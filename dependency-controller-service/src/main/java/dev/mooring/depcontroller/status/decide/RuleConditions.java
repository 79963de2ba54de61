package dev.mooring.depcontroller.status.decide;

import dev.mooring.depcontroller.rules.decide.Participants.Membership;
import dev.mooring.depcontroller.rules.decide.ResolvedDependency;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.Authority;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.FieldFindings;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.RaceProtection;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.dependency.WebhookContract;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Computes the status of a rule: whether it is valid ({@code Accepted}), its paths are resolved
 * ({@code TargetsResolved}), it is enforced there ({@code WebhooksInstalled}), and all of that
 * ({@code Ready}). Under race protection also {@code RaceProtected}. {@code AuthorityUnknown} and
 * {@code Cyclic} are present only while they are true.
 */
public record RuleConditions(RuleReading reading, StatusFacts facts) {
  static final String NOT_INTERCEPTABLE = "NotInterceptable";
  static final String INTERCEPTABLE =
      "raceProtection is not available for core types: a provider's webhooks do not receive"
          + " its consumers' objects of them; deletions are protected regardless";

  /**
   * Whether everything that the status shows has been read once. Until then the former status is
   * nearer the truth.
   */
  public boolean areKnown() {
    return switch (reading) {
      case RuleReading.Invalid(_, _, _) -> true;
      case RuleReading.Valid(DependencyRule rule) -> {
        List<ResolvedDependency> resolvedDependencies = facts.resolvedRules().dependencies(rule);
        yield resolvedDependencies.stream().allMatch(this::isKnown)
            && areReferencesKnown(rule, resolvedDependencies)
            && facts.resolvedRules().knowsVersions(rule)
            && facts.webhook().know(List.of(rule));
      }
    };
  }

  /** Whether the rule is {@code Accepted}, as far as is known. */
  public boolean isAccepted() {
    return switch (reading) {
      case RuleReading.Invalid(_, _, _) -> false;
      case RuleReading.Valid(DependencyRule rule) ->
          accepted(rule, facts.resolvedRules().fields(rule)).isMet();
    };
  }

  /** Whether time alone will change a status. */
  public static boolean settling(Map<String, Object> status) {
    return Trees.list(status, "conditions").stream()
        .anyMatch(condition -> "Settling".equals(Trees.at(condition, "reason")));
  }

  private boolean isKnown(ResolvedDependency resolved) {
    if (resolved.authority().isEmpty()) {
      return false;
    }
    if (resolved.provider() == Membership.NONE) {
      return true; // the time that a lookup takes must not disclose its result
    }
    return switch (resolved.resolution()) {
      case Resolution.Absent(_), Resolution.Unknown(_) -> true;
      case Resolution.Pending() -> resolved.denied();
      case Resolution.Known(var cluster) ->
          resolved.denied() || facts.installations().containsKey(cluster);
    };
  }

  /** The rule's own workspace counts, too, if its dependents' references are reviewed. */
  private boolean areReferencesKnown(
      DependencyRule rule, List<ResolvedDependency> resolvedDependencies) {
    boolean reviewed =
        rule.guardsReferences()
            && resolvedDependencies.stream()
                .anyMatch(resolved ->
                    resolved.takesPart()
                        && resolved.resolution() instanceof Resolution.Known
                        && resolved.counts());
    return !reviewed || facts.installations().containsKey(rule.key().cluster());
  }

  /**
   * The status that the rule should have.
   *
   * @param object as it is: a condition that stays keeps the time of its last transition
   * @param now for those that do not
   */
  public Map<String, Object> status(KubeObject object, Instant now) {
    var conditions = new ArrayList<Condition>();
    var states = new ArrayList<DependencyState>();
    switch (reading) {
      case RuleReading.Invalid(_, _, var problems) -> {
        conditions.add(Condition.unmet("Accepted", "Invalid", String.join("; ", problems)));
        conditions.add(ready(conditions, ""));
      }
      case RuleReading.Valid(DependencyRule rule) -> {
        FieldFindings fields = facts.resolvedRules().fields(rule);
        states.addAll(DependencyState.all(rule, facts, fields));
        conditions.add(accepted(rule, fields));
        conditions.add(DependencyState.targetsResolved(states));
        conditions.add(webhooksInstalled(states));
        Optional<Condition> unknown = authorityUnknown(rule, states);
        conditions.add(
            ready(
                conditions,
                unknown.isEmpty()
                    ? "the rule is enforced"
                    : "the rule is enforced, unless the webhook reads that it is not eligible; see"
                        + " AuthorityUnknown"));
        if (rule.enforcement().raceProtection() == RaceProtection.STRICT) {
          conditions.add(RaceReadiness.of(rule, states, facts, object, now));
        }
        unknown.ifPresent(conditions::add);
        cyclic(rule).ifPresent(conditions::add);
      }
    }
    long generation = reading.generation();
    var status = new LinkedHashMap<String, Object>();
    status.put("observedGeneration", generation);
    status.put(
        "conditions", conditions.stream().map(c -> c.tree(generation, object, now)).toList());
    status.put("dependencies", states.stream().map(DependencyState::tree).toList());
    return Trees.freezeMap(status);
  }

  private Condition accepted(DependencyRule rule, FieldFindings fields) {
    String type = "Accepted";
    if (!fields.problems().isEmpty()) {
      return Condition.unmet(
          type,
          FieldFindings.NOT_IN_SCHEMA,
          joined(rule.problems(), fields.problems())
              + "; until fixed, these fields are treated as matching everything: targets cannot be"
              + " deleted while there is a "
              + rule.dependent().kind());
    }
    if (!rule.problems().isEmpty()) {
      return Condition.unmet(
          type,
          "Invalid",
          String.join("; ", rule.problems())
              + "; until fixed, unparsable fields are treated as matching everything");
    }
    if (facts.resolvedRules().overDependent(rule).orElse(null)
        instanceof Authority.Denied(Authority.Reason reason, String message)) {
      return Condition.unmet(type, reason.text(), message);
    }
    Optional<String> version = facts.versionProblem(rule);
    if (version.isPresent()) {
      return Condition.unmet(type, StatusFacts.VERSION_NOT_SERVED, version.get());
    }
    Optional<String> unread = facts.webhook().problem(rule);
    if (unread.isPresent()) {
      return Condition.unmet(type, WebhookContract.MAY_NOT_READ, unread.get());
    }
    boolean race = rule.enforcement().raceProtection() == RaceProtection.STRICT;
    return race && rule.dependent().isCore()
        ? Condition.unmet(type, NOT_INTERCEPTABLE, INTERCEPTABLE)
        : Condition.met(
            type, "Valid", joined(List.of("the rule is well-formed"), unchecked(rule, fields)));
  }

  private static List<String> unchecked(DependencyRule rule, FieldFindings fields) {
    return rule.dependent().isCore()
        ? List.of("its fields are not checked: core types have no APIResourceSchema")
        : fields.unchecked().stream().map(why -> "not checked: " + why).toList();
  }

  private static String joined(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).collect(Collectors.joining("; "));
  }

  private static Condition webhooksInstalled(List<DependencyState> states) {
    String type = "WebhooksInstalled";
    return states.stream()
        .filter(state -> !state.isInstalled())
        .findFirst()
        .map(state ->
            Condition.unmet(
                type,
                state.state(),
                "%s of %s: %s"
                    .formatted(
                        GroupResource.of(state.resolved().dependency().target()),
                        state.resolved().path(),
                        state.message())))
        .orElseGet(() ->
            Condition.met(
                type, DependencyState.INSTALLED, "every provider's workspace asks the webhook"));
  }

  /**
   * @param enforced what to say if it is
   */
  private static Condition ready(List<Condition> conditions, String enforced) {
    return conditions.stream()
        .filter(condition -> !condition.isMet())
        .findFirst()
        .map(unmet -> Condition.unmet("Ready", unmet.reason(), unmet.message()))
        .orElseGet(() -> Condition.met("Ready", "Protected", enforced));
  }

  private Optional<Condition> authorityUnknown(DependencyRule rule, List<DependencyState> states) {
    for (DependencyState state : states) {
      if (state.resolved().authority().orElse(null) instanceof Authority.Unknown(var message)) {
        return Optional.of(authorityUnknown(message));
      }
    }
    return facts.unreadableVersions(rule).map(RuleConditions::authorityUnknown);
  }

  private static Condition authorityUnknown(String message) {
    return Condition.met(
        "AuthorityUnknown",
        "Unreadable",
        message
            + "; until then the rule is in force here, and the webhook decides by what it can read"
            + " itself");
  }

  private Optional<Condition> cyclic(DependencyRule rule) {
    return Optional.ofNullable(facts.cycles().get(rule.key()))
        .map(cycle ->
            Condition.met(
                "Cyclic",
                "DependencyCycle",
                "objects of these types can keep each other from being deleted: " + cycle));
  }
}
