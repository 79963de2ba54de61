package dev.mooring.depwebhook.admission;

import static dev.mooring.depwebhook.admission.ReviewFixture.VPC;
import static dev.mooring.depwebhook.admission.ReviewFixture.deletion;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.admission.WebhookEntry.Kind;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.model.json.KubeJson;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A review that was answered as too late, while kcp does not answer a list. */
class AbandonedReviewTest {
  private final ReviewFixture ground = new ReviewFixture();

  @Test
  void isJudgedNoFurther() throws InterruptedException {
    Runnable release = ground.workspace.holdsTheNextList();
    ReviewHandler handler = ground.handler();
    var reviews = new ReviewLimiter(handler, StubNotifications.all(), () -> Instant.EPOCH, 1, 1);
    var over = new Semaphore(0);

    ReviewHandler.Answer answer =
        reviews.evaluateInTime(
            new ReviewBody(KubeJson.write(deletion("net1", VPC)), over, 1),
            new WebhookEntry("", Kind.DENYING),
            Deadline.start(() -> Instant.EPOCH, "1s"));

    assertThat(answer.outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(over.tryAcquire(10, TimeUnit.SECONDS)).as("its judge has come to an end").isTrue();
    assertThat(ground.heard).isEmpty();
    release.run();
  }
}
