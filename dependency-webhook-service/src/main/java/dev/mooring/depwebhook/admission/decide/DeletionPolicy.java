package dev.mooring.depwebhook.admission.decide;

import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Denied;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Note;
import dev.mooring.depwebhook.admission.decide.DeletionFacts.Fact;
import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.lookup.decide.LookupResult.Found;
import dev.mooring.depwebhook.lookup.decide.Shortlist;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides whether a target may be deleted. The first of {@link #CHECKS} that applies gives the
 * decision; what cannot be determined is denied.
 */
public final class DeletionPolicy {
  /** The order of the checks is the specification. */
  public static final List<Check> CHECKS =
      List.of(
          new Check("rules are loaded", Fact.RULES, DeletionPolicy::rulesAreLoaded),
          new Check("rules are fresh", Fact.RULES, DeletionPolicy::rulesAreFresh),
          new Check("a rule protects the target", Fact.RULES, DeletionPolicy::isProtected),
          new Check("a rule is not bypassed", Fact.BYPASSES, DeletionPolicy::isNotBypassed),
          new Check("a denying rule applies", Fact.DEPENDENTS, DeletionPolicy::isDenied),
          new Check("the workspace stays", Fact.WORKSPACE, DeletionPolicy::workspaceStays),
          new Check("no request is in flight", Fact.DEPENDENTS, DeletionPolicy::isUncontended),
          new Check("dependents could be read", Fact.DEPENDENTS, DeletionPolicy::dependentsAreRead),
          new Check("nothing refers to the target", Fact.DEPENDENTS, DeletionPolicy::isReferenced));

  /** Clients of the Go program know this text and retry. */
  public static final String NOT_LOADED = "dependency webhook not yet initialized, retry later";

  public static final String STALE = "the rule cache is stale; retry later";

  /** Begins every warning about a deletion that was allowed without evaluation. */
  public static final String UNCHECKED = "not checked for what still refers to it: ";

  /** In place of what could not be read: the details are for the operator. */
  private static final String UNREAD_DEPENDENTS =
      UNCHECKED + "the dependency webhook could not read all that may refer to it";

  private DeletionPolicy() {}

  /**
   * One condition for a denial; where it does not hold, it gives the decision.
   *
   * @param needs the fact that {@code decision} reads
   * @param decision empty if the condition holds
   */
  public record Check(
      String name, Fact needs, Function<DeletionFacts, Optional<AdmissionDecision>> decision) {}

  /** What follows from the facts that were gathered so far. */
  public sealed interface Step {}

  /** The next check needs another fact. */
  public record Gather(Fact fact) implements Step {}

  /** The facts are enough. */
  public record Decided(AdmissionDecision decision, DeletionFacts facts) implements Step {}

  public static Step nextStep(DeletionFacts facts) {
    for (Check check : CHECKS) {
      if (!facts.has(check.needs())) {
        return new Gather(check.needs());
      }
      Optional<AdmissionDecision> decision = check.decision().apply(facts);
      if (decision.isPresent()) {
        return new Decided(decision.get(), facts);
      }
    }
    throw new IllegalStateException("no check decides on " + facts);
  }

  private static Optional<AdmissionDecision> rulesAreLoaded(DeletionFacts facts) {
    return facts.rules().orElseThrow() instanceof Rules.Loading
        ? Optional.of(withoutRules(facts, NOT_LOADED))
        : Optional.empty();
  }

  private static Optional<AdmissionDecision> rulesAreFresh(DeletionFacts facts) {
    return facts.rules().orElseThrow() instanceof Rules.Stale
        ? Optional.of(withoutRules(facts, STALE))
        : Optional.empty();
  }

  /** No rule denied the deletion when the controller wrote an entry of mode Warn or Audit. */
  private static AdmissionDecision withoutRules(DeletionFacts facts, String problem) {
    return switch (facts.entry()) {
      case DENY -> new Denied(Outcome.NOT_READY, ClientRefusal.forbidden(problem));
      case WARN, AUDIT ->
          new Allowed(
              Outcome.UNCHECKED,
              List.of(
                  new Note(
                      UNCHECKED + "the dependency webhook does not know its rules now", List.of())),
              List.of(),
              List.of());
    };
  }

  private static Optional<AdmissionDecision> isProtected(DeletionFacts facts) {
    return facts.protections().isEmpty()
        ? Optional.of(new Allowed(Outcome.NO_RULES))
        : Optional.empty();
  }

  private static Optional<AdmissionDecision> isNotBypassed(DeletionFacts facts) {
    return facts.inForce().isEmpty()
        ? Optional.of(allowed(facts, Outcome.SKIP_PROTECTION))
        : Optional.empty();
  }

  private static Optional<AdmissionDecision> isDenied(DeletionFacts facts) {
    return facts.dependents().orElseThrow() instanceof LookupResult.Complete found
            && found.of(Mode.DENY).isEmpty()
        ? Optional.of(tolerated(facts, found))
        : Optional.empty();
  }

  /** Objects of a terminating workspace go in no order; one that stayed would block all of it. */
  private static Optional<AdmissionDecision> workspaceStays(DeletionFacts facts) {
    return facts.workspace().orElseThrow() == WorkspaceState.TERMINATING
        ? Optional.of(allowed(facts, Outcome.WORKSPACE_TERMINATING))
        : Optional.empty();
  }

  private static Optional<AdmissionDecision> isUncontended(DeletionFacts facts) {
    return facts.dependents().orElseThrow() instanceof LookupResult.Contended(var refusal)
        ? Optional.of(new Denied(Outcome.IN_FLIGHT, refusal))
        : Optional.empty();
  }

  private static Optional<AdmissionDecision> dependentsAreRead(DeletionFacts facts) {
    return facts.dependents().orElseThrow() instanceof LookupResult.Incomplete(var why, var callers)
        ? Optional.of(
            new Denied(
                Outcome.LOOKUP_FAILED, new ClientRefusal(500, "", why, callers, Duration.ZERO)))
        : Optional.empty();
  }

  private static Optional<AdmissionDecision> isReferenced(DeletionFacts facts) {
    return facts.dependents().orElseThrow() instanceof LookupResult.Complete found
        ? Optional.of(denied(facts, found.of(Mode.DENY)))
        : Optional.empty();
  }

  private static AdmissionDecision allowed(DeletionFacts facts, Outcome outcome) {
    return new Allowed(outcome, List.of(), List.of(), facts.bypassedRules());
  }

  private static AdmissionDecision denied(DeletionFacts facts, Found found) {
    var message = new StringBuilder(found.blockers().denial(facts.target()));
    found.doubts().forEach(doubt -> message.append("; ").append(doubt));
    List<String> refusals = facts.bypasses().orElseThrow().refusals();
    if (!refusals.isEmpty()) {
      message.append("; not bypassed: ").append(Shortlist.of(refusals, "; "));
    }
    return new Denied(Outcome.DENIED, ClientRefusal.forbidden(message.toString()), found.rules());
  }

  private static AdmissionDecision tolerated(DeletionFacts facts, LookupResult.Complete complete) {
    var warnings = new ArrayList<>(notes(facts, complete.of(Mode.WARN)));
    complete
        .unchecked()
        .forEach(missing -> warnings.add(new Note(missing, UNREAD_DEPENDENTS, List.of())));
    boolean none = complete.of(Mode.WARN).isEmpty() && complete.of(Mode.AUDIT).isEmpty();
    return new Allowed(
        none ? Outcome.NO_REFERRERS : Outcome.TOLERATED,
        warnings,
        notes(facts, complete.of(Mode.AUDIT)),
        facts.bypassedRules());
  }

  private static List<Note> notes(DeletionFacts facts, Found found) {
    return found.isEmpty()
        ? List.of()
        : List.of(new Note(found.blockers().remark(facts.target()), found.rules()));
  }
}
