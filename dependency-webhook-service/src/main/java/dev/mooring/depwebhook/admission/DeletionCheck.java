package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.Bypass;
import dev.mooring.depwebhook.admission.decide.DeletionPolicy;
import dev.mooring.depwebhook.admission.decide.Verdict;
import dev.mooring.depwebhook.admission.decide.Verdict.Allow;
import dev.mooring.depwebhook.admission.decide.Verdict.Ground;
import dev.mooring.depwebhook.lookup.ReferrerLookup;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.RuleSource;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Gathers what is needed to judge one deletion: rules, then referrers; only as far as the answer
 * depends on it. Reviews and explanations share it. Thread-safe.
 */
public final class DeletionCheck {
  private final RuleSource rules;
  private final ProviderPaths providers;
  private final ReferrerLookup lookup;

  public DeletionCheck(RuleSource rules, ProviderPaths providers, ReferrerLookup lookup) {
    this.rules = Objects.requireNonNull(rules, "rules");
    this.providers = Objects.requireNonNull(providers, "providers");
    this.lookup = Objects.requireNonNull(lookup, "lookup");
  }

  /**
   * A verdict and what led to it.
   *
   * @param protections the statements of rules that were considered; empty if it did not come to
   *     that
   */
  public record Checked(Verdict verdict, List<Protection> protections) {
    public Checked {
      Objects.requireNonNull(verdict, "verdict");
      protections = List.copyOf(protections);
    }
  }

  /**
   * @param provider whose export the target belongs to; empty if the caller did not say
   */
  public Checked check(Target target, Bypass bypass, Optional<LogicalCluster> provider) {
    return switch (rules.current()) {
      case RuleSource.Loading(_) -> new Checked(DeletionPolicy.RULES_NOT_LOADED, List.of());
      case RuleSource.Loaded(RuleIndex index) -> check(index, target, bypass, provider);
    };
  }

  private Checked check(
      RuleIndex index, Target target, Bypass bypass, Optional<LogicalCluster> provider) {
    if (bypass == Bypass.REQUESTED) {
      return new Checked(new Allow(Ground.SKIP_PROTECTION), List.of());
    }
    if (index.about(target.type()).isEmpty()) {
      return new Checked(new Allow(Ground.NO_RULES), List.of());
    }
    List<Protection> protections = index.about(target.type(), provider.flatMap(providers::of));
    if (protections.isEmpty()) {
      return new Checked(new Allow(Ground.NO_RULES), List.of());
    }
    var found = lookup.referrers(target, DependentSearch.forAll(protections));
    return new Checked(DeletionPolicy.judge(bypass, target, found), protections);
  }
}
