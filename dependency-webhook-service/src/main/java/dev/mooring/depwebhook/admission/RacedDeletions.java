package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.Verdict;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Found;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.race.DeletionRace;
import dev.mooring.depwebhook.race.DeletionRace.Announced;
import dev.mooring.depwebhook.race.decide.RaceRefusal;
import dev.mooring.depwebhook.race.decide.Recording;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Judges deletions by the race register where a rule asks for it. Thread-safe. */
public final class RacedDeletions {
  private final DeletionRace race;

  public RacedDeletions(DeletionRace race) {
    this.race = Objects.requireNonNull(race, "race");
  }

  /**
   * A deletion to be judged.
   *
   * @param uid of the target
   * @param inForce the statements about it that were not bypassed
   * @param eligibility which of them count
   * @param judge words what was found for whom it is to be told
   * @param answerBy when nobody listens any more
   */
  record Judged(
      Target target,
      String uid,
      List<Protection> inForce,
      RuleEligibility eligibility,
      Recording recording,
      Function<Lookup, Verdict> judge,
      Instant answerBy) {
    /** Those that refuse, and whose references are reviewed. */
    List<Protection> raced() {
      return inForce.stream()
          .filter(protection -> protection.rule().guardsReferences())
          .filter(protection -> protection.mode() == Mode.DENY)
          .toList();
    }

    /** Whether looking costs next to nothing. */
    boolean indexed() {
      return DependentSearch.forAll(inForce).stream().allMatch(DependentSearch::mayBeIndexed);
    }
  }

  /**
   * The verdict on what {@code search} finds, made so that no new reference can come in between
   * where a rule asks for that.
   *
   * @param search for referrers; may be called several times
   */
  Verdict judged(Judged deletion, Supplier<Lookup> search) {
    Supplier<Verdict> look = () -> deletion.judge().apply(search.get());
    List<Protection> raced = deletion.raced();
    if (raced.isEmpty()) {
      return look.get();
    }
    if (deletion.indexed()) {
      Verdict known = look.get();
      if (!(known instanceof Verdict.Allow)) {
        // A refusal needs no record: it lets nothing go ahead.
        return known;
      }
    }
    return race.judged(
        new DeletionRace.Deletion(
            deletion.target(), deletion.uid(), raced, deletion.recording(), deletion.answerBy()),
        announced -> with(announced, deletion, look.get()),
        Verdict.Allow.class::isInstance,
        refusal -> refused(refusal, deletion, raced, look));
  }

  /**
   * Nobody has to wait for the register but for a rule that counts; which do is asked no sooner, so
   * that leave costs no more.
   */
  private static Verdict refused(
      RaceRefusal refusal, Judged deletion, List<Protection> raced, Supplier<Verdict> look) {
    RuleEligibility eligibility = deletion.eligibility();
    raced.forEach(eligibility::prefetch);
    return raced.stream().anyMatch(eligibility::isEligible)
        ? new Verdict.Contended(refusal)
        : look.get();
  }

  /** What an index may not show yet counts as if it did. */
  private static Verdict with(Optional<Announced> announced, Judged deletion, Verdict looked) {
    if (announced.isEmpty() || !(looked instanceof Verdict.Allow)) {
      return looked;
    }
    Announced referrer = announced.get();
    for (DependentSearch search : DependentSearch.forAll(deletion.inForce())) {
      if (search.dependent().equals(referrer.type())) {
        List<Protection> by =
            search.keptBy(referrer.object(), deletion.target()).stream()
                .filter(protection -> protection.mode() == Mode.DENY)
                .filter(deletion.eligibility()::isEligible)
                .toList();
        if (!by.isEmpty()) {
          var blocker =
              new Blocker(search.kind(), referrer.object().namespace(), referrer.object().name());
          var found =
              new Found(
                  Blockers.of(List.of(blocker), Blockers.Search.STOPPED_EARLY),
                  by.stream().map(protection -> protection.rule().qualifiedName()).toList(),
                  List.of());
          return deletion.judge().apply(new Lookup.Complete(Map.of(Mode.DENY, found), List.of()));
        }
      }
    }
    return looked;
  }
}
