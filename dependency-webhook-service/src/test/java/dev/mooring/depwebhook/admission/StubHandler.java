package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.race.UnusedRegister;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.rules.RuleSource;

/** Evaluates reviews as a test says, and counts the answers that were reported. */
public class StubHandler extends ReviewHandler {
  static final Answer ANSWER = Answer.of("", new Allowed(Outcome.NO_REFERRERS));

  private final Evaluation evaluation;
  volatile int reported;

  /** What a test does for one review. */
  public interface Evaluation {
    Answer answer(byte[] body, WebhookEntry entry, Deadline deadline);
  }

  public StubHandler(Evaluation evaluation) {
    super(
        new ReviewFixture().gatherer(),
        UnusedRegister.references(() -> new RuleSource.Loading("no rule is asked for")),
        (_, _) -> {});
    this.evaluation = evaluation;
  }

  @Override
  public Answer answer(byte[] body, WebhookEntry entry, Deadline deadline) {
    return evaluation.answer(body, entry, deadline);
  }

  @Override
  void report(Answer answer) {
    reported++;
  }
}
