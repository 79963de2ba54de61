package dev.mooring.depwebhook.admission.decide;

import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import java.util.List;
import java.util.Optional;

/**
 * What is known about one deletion so far. Facts cost requests, so {@link DeletionPolicy} says
 * which one it needs next; one that was not gathered is empty.
 *
 * @param entry the mode of the webhook entry that sent the review
 */
public record DeletionFacts(
    Target target,
    Mode entry,
    Optional<Rules<List<MatchedRule>>> rules,
    Optional<Bypasses> bypasses,
    Optional<LookupResult> dependents,
    Optional<WorkspaceState> workspace) {

  /** Before anything was gathered. */
  public DeletionFacts(Target target, Mode entry) {
    this(target, entry, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** What a check of the policy reads; each is gathered when a check first needs it. */
  public enum Fact {
    RULES,
    BYPASSES,
    DEPENDENTS,
    WORKSPACE
  }

  /**
   * Which protections the caller bypasses.
   *
   * @param refusals why a bypass that was requested does not apply, each once
   */
  public record Bypasses(List<MatchedRule> bypassed, List<String> refusals) {
    public static final Bypasses NONE = new Bypasses(List.of(), List.of());

    public Bypasses {
      bypassed = List.copyOf(bypassed);
      refusals = List.copyOf(refusals);
    }
  }

  /** Sorted by rule; empty unless rules are loaded. */
  public List<MatchedRule> protections() {
    return rules.orElse(null) instanceof Rules.Loaded(var protections) ? protections : List.of();
  }

  /** Protections that are not bypassed. */
  public List<MatchedRule> inForce() {
    return protections().stream().filter(each -> !bypassed().contains(each)).toList();
  }

  public List<MatchedRule> bypassed() {
    return bypasses.orElse(Bypasses.NONE).bypassed();
  }

  /** Qualified names of the rules that are bypassed, each once. */
  public List<String> bypassedRules() {
    return bypassed().stream().map(each -> each.rule().qualifiedName()).distinct().toList();
  }

  boolean has(Fact fact) {
    return switch (fact) {
      case RULES -> rules.isPresent();
      case BYPASSES -> bypasses.isPresent();
      case DEPENDENTS -> dependents.isPresent();
      case WORKSPACE -> workspace.isPresent();
    };
  }

  public DeletionFacts with(Rules<List<MatchedRule>> found) {
    return new DeletionFacts(target, entry, Optional.of(found), bypasses, dependents, workspace);
  }

  public DeletionFacts with(Bypasses found) {
    return new DeletionFacts(target, entry, rules, Optional.of(found), dependents, workspace);
  }

  public DeletionFacts with(LookupResult found) {
    return new DeletionFacts(target, entry, rules, bypasses, Optional.of(found), workspace);
  }

  public DeletionFacts with(WorkspaceState found) {
    return new DeletionFacts(target, entry, rules, bypasses, dependents, Optional.of(found));
  }
}
