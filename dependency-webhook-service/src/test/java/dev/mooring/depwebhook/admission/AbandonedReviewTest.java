package dev.mooring.depwebhook.admission;

import static dev.mooring.depwebhook.admission.ReviewGround.VPC;
import static dev.mooring.depwebhook.admission.ReviewGround.deletion;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A review that was answered as too late, while kcp does not answer a list. */
class AbandonedReviewTest {
  private final ReviewGround ground = new ReviewGround();

  @Test
  void isJudgedNoFurther() throws InterruptedException {
    Runnable release = ground.workspace.holdsTheNextList();
    ReviewHandler handler = ground.handler();
    var reviews = new TimelyReviews(handler::answer, () -> Instant.EPOCH);
    var over = new CountDownLatch(1);

    ReviewHandler.Answer answer =
        reviews.answer(
            KubeJson.write(deletion("net1", VPC)),
            Entry.binding(""),
            reviews.begin("1s"),
            over::countDown);

    assertThat(answer.decision()).isEqualTo(Decision.LATE);
    assertThat(over.await(10, TimeUnit.SECONDS)).as("its judge has come to an end").isTrue();
    assertThat(ground.heard).isEmpty();
    release.run();
  }
}
