package dev.mooring.depwebhook.admission;

import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.runtime.time.ManualTime;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class SyntheticReviewsTest {
  private static final RuleIndex RULES = RuleIndex.of(List.of(vmNeedsVpc()));

  private final ReviewFixture fixture = new ReviewFixture();
  private final List<String> evaluated = new CopyOnWriteArrayList<>();

  @Test
  void evaluatesAReviewOfEachKindAndReportsNoDecision() throws IOException {
    ReviewHandler reviews = fixture.handler();
    var handler =
        new StubHandler((body, entry, deadline) -> {
          Answer answer = reviews.handleReview(body, entry, deadline);
          evaluated.add(entry.kind() + " " + answer.outcome());
          return answer;
        });
    var time = new ManualTime();
    var notifications =
        new NotificationReviews(
            fixture.gatherer(), List.of((_, decision) -> fixture.heard.add(decision)), _ -> {});

    SyntheticReviews.evaluate(
        RULES,
        new ReviewLimiter(
            handler,
            new StubNotifications(
                review -> {
                  evaluated.add("NOTIFYING " + review.target().type());
                  return notifications.report(review);
                },
                time),
            time,
            1 << 20,
            1 << 20));

    assertThat(evaluated)
        .containsExactlyInAnyOrder(
            "DENYING NOT_A_DELETION",
            "DENYING NO_REFERRERS",
            "DENYING REFERENCE_ALLOWED",
            "WARNING NO_REFERRERS",
            "NOTIFYING vpcs.network.example.com");
    assertThat(fixture.heard).isEmpty();
    assertThat(handler.reported).hasValue(0);
    assertThat(time.pending()).as("notifications that are repeated").isZero();
  }
}
