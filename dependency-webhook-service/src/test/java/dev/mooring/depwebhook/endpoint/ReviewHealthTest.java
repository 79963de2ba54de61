package dev.mooring.depwebhook.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.admission.ReviewLimiter;
import dev.mooring.depwebhook.admission.StubHandler;
import dev.mooring.depwebhook.admission.StubNotifications;
import dev.mooring.depwebhook.admission.WebhookEntry;
import dev.mooring.depwebhook.admission.WebhookEntry.Kind;
import dev.mooring.runtime.testing.Eventually;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

class ReviewHealthTest {
  private static final byte[] REVIEW =
      "{\"kind\": \"AdmissionReview\", \"request\": {\"uid\": \"r-1\"}}"
          .getBytes(StandardCharsets.UTF_8);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final CountDownLatch answered = new CountDownLatch(1);

  /** Its evaluations end when the test says so. */
  private final ReviewLimiter reviews =
      new ReviewLimiter(
          new StubHandler((_, _, _) -> {
            await(answered);
            throw new IllegalStateException("the review is answered by then");
          }),
          StubNotifications.all(),
          now::get,
          1 << 20,
          1 << 20);

  @Test
  void livenessFailsWhileAReviewDoesNotEndAndShowsThreadsOnce() throws IOException {
    var dumps = new AtomicInteger();
    HealthIndicator health = ReviewHealth.stuckReviews(reviews.progress(), dumps::incrementAndGet);
    timesOut();
    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    assertThat(dumps).hasValue(0);

    now.set(now.get().plusSeconds(40));
    for (int i = 0; i < 2; i++) {
      assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
      assertThat(health.health().getDetails()).containsEntry("stuck", 1L);
    }
    assertThat(dumps).hasValue(1);

    answered.countDown();
    Eventually.await().until(() -> health.health().getStatus().equals(Status.UP));
  }

  @Test
  void readinessFailsForAWhileAfterManyReviewsTimedOut() throws Exception {
    HealthIndicator health = new ReviewHealth().timeouts(reviews);
    timesOut();
    assertThat(health.health().getStatus()).isEqualTo(Status.UP);

    try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 30; i++) {
        clients.submit(() -> timesOut());
      }
    }

    assertThat(health.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
    now.set(now.get().plusSeconds(40));
    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    answered.countDown();
  }

  private Object timesOut() throws IOException {
    return reviews.limit(
        new ByteArrayInputStream(REVIEW), REVIEW.length, new WebhookEntry("", Kind.DENYING), "1s");
  }

  @Test
  void aThreadDumpShowsAVirtualThreadThatRunsMooringsCode() throws InterruptedException {
    var running = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    Thread review = Thread.ofVirtual().name("review-1").start(() -> waits(running, end));
    running.await();

    String dump = ReviewHealth.threadDump();

    end.countDown();
    review.join();
    assertThat(dump)
        .contains("review-1", "ReviewHealthTest.waits")
        .doesNotContain("Reference Handler");
  }

  private static void waits(CountDownLatch running, CountDownLatch end) {
    running.countDown();
    await(end);
  }

  private static void await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
