package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.DeletionFacts.Dependents;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Found;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.race.RaceProtection;
import dev.mooring.depwebhook.race.RaceProtection.Announced;
import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Mode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Looks for the dependents of one target. Where a rule asks for race protection, the lookup happens
 * within the race register, so that no new reference can come in before the target is deleted.
 *
 * @param inForce the protections that are not bypassed
 * @param look lists the dependents; may be called several times
 * @param disclose hides what the reader of the verdict may not list
 */
record RacedLookup(
    Review.Deletion deletion,
    List<Protection> inForce,
    RuleEligibility eligibility,
    Deadline deadline,
    Supplier<Lookup> look,
    UnaryOperator<Lookup> disclose) {
  Dependents dependents(RaceProtection race) {
    List<Protection> raced =
        inForce.stream()
            .filter(protection -> protection.rule().guardsReferences())
            .filter(protection -> protection.mode() == Mode.DENY)
            .toList();
    if (raced.isEmpty()) {
      return found();
    }
    if (DependentSearch.forAll(inForce).stream().allMatch(DependentSearch::mayBeIndexed)) {
      Dependents indexed = found();
      if (!indexed.areNone()) {
        // A denial needs no record in the register.
        return indexed;
      }
    }
    return race.deletion(
        new RaceProtection.Deletion(
            deletion.target(), deletion.object().uid(), raced, deletion.recording(), deadline),
        announced -> with(announced, found()),
        Dependents::areNone,
        refusal -> contended(refusal, raced));
  }

  private Dependents found() {
    return new Dependents.Found(disclose.apply(look.get()));
  }

  /** Eligibility is checked only after a refusal: an allowed deletion costs no such requests. */
  private Dependents contended(ClientRefusal refusal, List<Protection> raced) {
    raced.forEach(eligibility::prefetch);
    return raced.stream().anyMatch(this::isEligible) ? new Dependents.Contended(refusal) : found();
  }

  private boolean isEligible(Protection protection) {
    return deadline.during(() -> eligibility.isEligible(protection));
  }

  /** An index may not show an announced dependent yet. */
  private Dependents with(Optional<Announced> announced, Dependents found) {
    if (announced.isEmpty() || !found.areNone()) {
      return found;
    }
    return DependentSearch.forAll(inForce).stream()
        .map(search -> denial(search, announced.get()))
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(found);
  }

  private Optional<Dependents> denial(DependentSearch search, Announced referrer) {
    if (!search.dependent().equals(referrer.type())) {
      return Optional.empty();
    }
    List<String> rules =
        search.keptBy(referrer.object(), deletion.target()).stream()
            .filter(protection -> protection.mode() == Mode.DENY)
            .filter(this::isEligible)
            .map(protection -> protection.rule().qualifiedName())
            .toList();
    if (rules.isEmpty()) {
      return Optional.empty();
    }
    var blocker =
        new Blocker(search.kind(), referrer.object().namespace(), referrer.object().name());
    var blockers = Blockers.of(List.of(blocker), Blockers.Search.STOPPED_EARLY);
    var lookup =
        new Lookup.Complete(Map.of(Mode.DENY, new Found(blockers, rules, List.of())), List.of());
    return Optional.of(new Dependents.Found(disclose.apply(lookup)));
  }
}
