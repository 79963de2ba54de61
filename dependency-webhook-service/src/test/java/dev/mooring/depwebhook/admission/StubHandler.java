package dev.mooring.depwebhook.admission;

import static dev.mooring.depwebhook.Fixtures.deletion;

import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.race.UnusedRegister;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Evaluates reviews as a test says, and counts the answers that were reported. */
public class StubHandler extends ReviewHandler {
  static final Answer ANSWER =
      new Answer(
          new byte[0],
          new Allowed(Outcome.NO_REFERRERS),
          Optional.of(deletion(KubeObject.of(Map.of()), Optional.empty())));

  final AtomicInteger reported;
  private final Evaluation evaluation;

  /** What a test does for one review. */
  public interface Evaluation {
    Answer answer(byte[] body, WebhookEntry entry, Deadline deadline);
  }

  public StubHandler(Evaluation evaluation) {
    this(evaluation, new AtomicInteger());
  }

  private StubHandler(Evaluation evaluation, AtomicInteger reported) {
    super(
        new ReviewFixture().gatherer(),
        UnusedRegister.references(() -> new Rules.Loading<>("no rule is asked for")),
        List.of((_, _) -> reported.incrementAndGet()));
    this.reported = reported;
    this.evaluation = evaluation;
  }

  @Override
  public Answer handleReview(byte[] body, WebhookEntry entry, Deadline deadline) {
    return evaluation.answer(body, entry, deadline);
  }
}
