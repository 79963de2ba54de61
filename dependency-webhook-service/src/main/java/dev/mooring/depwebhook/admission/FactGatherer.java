package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.BypassRequest;
import dev.mooring.depwebhook.admission.decide.DeletionFacts;
import dev.mooring.depwebhook.admission.decide.DeletionFacts.Fact;
import dev.mooring.depwebhook.admission.decide.DeletionPolicy;
import dev.mooring.depwebhook.admission.decide.DeletionPolicy.Decided;
import dev.mooring.depwebhook.eligibility.EligibilityChecker;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.lookup.DeletionGate;
import dev.mooring.depwebhook.lookup.DeletionQuery;
import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.RuleSource;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.access.Caller;
import dev.mooring.runtime.client.KubeFailure;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gathers the facts about a deletion that {@link DeletionPolicy} asks for, one after the other.
 * Admission reviews and the blockers endpoint share it. Thread-safe.
 */
public record FactGatherer(
    RuleSource rules,
    ProviderPaths providers,
    DeletionGate gate,
    EligibilityChecker checker,
    BypassChecker bypasses,
    InstantSource clock) {
  private static final Caller WITHOUT_PERMISSIONS = new Caller("", "", List.of(), Map.of());

  /**
   * The decision for an API server. It names no dependents that the caller may not list.
   *
   * @param entry the mode of the webhook entry that sent the review
   * @throws KubeFailure if the deadline expires first
   */
  Decided gatherFacts(Review.Deletion deletion, Mode entry, Deadline deadline) {
    return decided(deletion, entry, Optional.of(deletion.caller()), deadline);
  }

  /**
   * The decision on a deletion by a caller without permissions, for the operator of the webhook.
   *
   * @param provider whose export the target belongs to; empty for any
   */
  public Decided explain(Target target, KubeObject object, Optional<LogicalCluster> provider) {
    var deletion =
        new Review.Deletion("", target, object, WITHOUT_PERMISSIONS, provider, Recording.DRY_RUN);
    return decided(deletion, Mode.DENY, Optional.empty(), Deadline.none());
  }

  /**
   * The protections that the API server bypassed because of the skip annotation. Stale rules count
   * as well, and what they say now of bypasses does not.
   *
   * @return empty if rules are not loaded yet
   */
  Optional<List<MatchedRule>> bypassedBy(Review.Deletion deletion) {
    // The match conditions of the webhook configuration know no other values.
    boolean all =
        switch (BypassRequest.of(deletion.object(), clock.instant())) {
          case BypassRequest.Always() -> true;
          case BypassRequest.None(), BypassRequest.Until(_), BypassRequest.Void(_) -> false;
        };
    return rules
        .current()
        .lastLoaded()
        .map(index -> all ? protections(index, deletion) : List.of());
  }

  private List<MatchedRule> protections(RuleIndex index, Review.Deletion deletion) {
    List<MatchedRule> all = index.about(deletion.target().type());
    return all.isEmpty()
        ? all
        : index.about(deletion.target().type(), deletion.provider().flatMap(providers::of));
  }

  /**
   * @param reader of messages; empty for the operator of the webhook, who may list what they name
   */
  private Decided decided(
      Review.Deletion deletion, Mode entry, Optional<Caller> reader, Deadline deadline) {
    RuleEligibility eligibility =
        checker.eligibilityFor(deletion.target(), deletion.provider(), deadline);
    var facts = new DeletionFacts(deletion.target(), entry);
    while (true) {
      switch (DeletionPolicy.nextStep(facts)) {
        case DeletionPolicy.Gather(Fact missing) ->
            facts =
                switch (missing) {
                  case RULES -> facts.with(rules(deletion));
                  case BYPASSES ->
                      facts.with(bypasses.findBypasses(deletion, facts.protections(), deadline));
                  case DEPENDENTS ->
                      facts.with(
                          gate.findReferrers(
                              new DeletionQuery(
                                  deletion.target(),
                                  deletion.object().uid(),
                                  deletion.recording(),
                                  facts.inForce(),
                                  eligibility,
                                  reader,
                                  deadline,
                                  Optional.empty())));
                  case WORKSPACE -> facts.with(eligibility.workspace());
                };
        case Decided decided -> {
          deadline.requireTime();
          return decided;
        }
      }
    }
  }

  private Rules<List<MatchedRule>> rules(Review.Deletion deletion) {
    return switch (rules.current()) {
      case Rules.Loading(var waitingFor) -> new Rules.Loading<>(waitingFor);
      case Rules.Stale(_, var problem) -> new Rules.Stale<>(List.of(), problem);
      case Rules.Loaded(var index) -> new Rules.Loaded<>(protections(index, deletion));
    };
  }
}
