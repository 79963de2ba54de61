package dev.mooring.depwebhook.admission;

import static dev.mooring.depwebhook.admission.ReviewFixture.VPC;
import static dev.mooring.depwebhook.admission.ReviewFixture.deletion;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.model.json.KubeJson;
import dev.mooring.runtime.time.ManualTime;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A review that was answered as too late, while kcp does not answer a list. */
class AbandonedReviewTest {
  private final ReviewFixture ground = new ReviewFixture();

  @Test
  void isJudgedNoFurther() throws InterruptedException {
    Runnable release = ground.workspace.holdsTheNextList();
    ReviewHandler handler = ground.handler();
    var reviews =
        new ReviewIntake(
            handler,
            new NotificationReviews(_ -> true, new ManualTime()),
            () -> Instant.EPOCH,
            1,
            1);
    var over = new CountDownLatch(1);

    ReviewHandler.Answer answer =
        reviews.evaluated(
            KubeJson.write(deletion("net1", VPC)),
            WebhookEntry.denying(""),
            Deadline.start(() -> Instant.EPOCH, "1s"),
            over::countDown);

    assertThat(answer.outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(over.await(10, TimeUnit.SECONDS)).as("its judge has come to an end").isTrue();
    assertThat(ground.heard).isEmpty();
    release.run();
  }
}
