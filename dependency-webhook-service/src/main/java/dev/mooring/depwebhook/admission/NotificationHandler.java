package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.rules.decide.Protection;
import java.util.List;
import java.util.Optional;

/**
 * Reports deletions that the API server let pass by the skip annotation, with the rules that they
 * bypassed. Stale rules count as well: a trace by old rules is better than none.
 */
public class NotificationHandler {
  private final FactGatherer deletions;
  private final DecisionListener listener;

  public NotificationHandler(FactGatherer deletions, DecisionListener listener) {
    this.deletions = deletions;
    this.listener = listener;
  }

  /**
   * @return false if rules are not loaded yet, and nothing was done
   */
  boolean handle(Review.Deletion review) {
    Optional<List<Protection>> bypassed = deletions.bypassedBy(review);
    if (bypassed.isEmpty()) {
      return false;
    }
    List<String> rules =
        bypassed.get().stream().map(each -> each.rule().qualifiedName()).distinct().toList();
    if (!rules.isEmpty()) {
      listener.decided(review, new Allowed(Outcome.SKIP_PROTECTION, List.of(), List.of(), rules));
    }
    return true;
  }
}
