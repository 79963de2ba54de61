package dev.mooring.depwebhook.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.admission.WebhookEntry.Kind;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.time.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NotificationReviewsTest {
  private static final WebhookEntry ENTRY = new WebhookEntry("network1", Kind.NOTIFYING);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final ManualTime time = new ManualTime();
  private final List<String> noted = new CopyOnWriteArrayList<>();
  private final AtomicInteger attempts = new AtomicInteger();
  private final Semaphore read = new Semaphore(0);
  private final CountDownLatch slow = new CountDownLatch(1);
  private volatile boolean known = true;
  private final NotificationReviews notifications = new StubNotifications(this::note, time);

  @AfterEach
  void lets() {
    slow.countDown();
  }

  @Test
  void hasTakenNoteWhenItAnswers() {
    assertAllowed(notifications.receive(deletion("net1", read), ENTRY, PATIENCE));

    assertThat(noted).containsExactly("net1 network1");
    await().until(() -> read.availablePermits() == 1);
  }

  @Test
  void allowsBeforeItKnowsTheRulesAndTakesNoteOnceItDoes() {
    known = false;

    assertAllowed(notifications.receive(deletion("net1", read), ENTRY, PATIENCE));

    await().until(() -> time.pending() == 1);
    assertThat(noted).isEmpty();
    assertThat(read.availablePermits()).isEqualTo(0);
    known = true;
    time.advance(NotificationReviews.ASKED_AGAIN);
    await().untilAsserted(() -> assertThat(noted).containsExactly("net1 network1"));
    await().until(() -> read.availablePermits() == 1);
    assertThat(time.pending()).isZero();
  }

  @Test
  void waitsNoLongerForRulesThanAReplicaTakesToStart() {
    known = false;
    notifications.receive(deletion("net1", read), ENTRY, PATIENCE);

    for (int i = 1; i < NotificationReviews.ATTEMPTS_MAX; i++) {
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> time.pending() == 1);
      time.advance(NotificationReviews.ASKED_AGAIN);
    }

    await().until(() -> read.availablePermits() == 1);
    assertThat(attempts).hasValue(NotificationReviews.ATTEMPTS_MAX);
    assertThat(time.pending()).isZero();
  }

  @Test
  void answersWithoutANoteThatTakesTooLongToWrite() {
    var slowly = new StubNotifications(this::writtenSlowly, time);

    assertAllowed(slowly.receive(deletion("net1", read), ENTRY, Duration.ZERO));

    assertThat(read.availablePermits()).isEqualTo(0);
    slow.countDown();
    await().untilAsserted(() -> assertThat(noted).containsExactly("net1 network1"));
  }

  @Test
  void allowsMoreThanItCanTakeNoteOf() {
    var slowly = new StubNotifications(this::writtenSlowly, time);
    for (int i = 0; i < NotificationReviews.OPEN_MAX; i++) {
      slowly.receive(deletion("open" + i, new Semaphore(0)), ENTRY, Duration.ZERO);
    }

    assertAllowed(slowly.receive(deletion("one-more", read), ENTRY, Duration.ZERO));

    assertThat(read.availablePermits()).isEqualTo(1);
    slow.countDown();
    await().until(() -> noted.size() == NotificationReviews.OPEN_MAX);
    assertThat(noted).doesNotContain("one-more network1");
    await()
        .untilAsserted(() -> {
          slowly.receive(deletion("later", new Semaphore(0)), ENTRY, Duration.ZERO);
          assertThat(noted).contains("later network1");
        });
  }

  @Test
  void allowsWhatItFailsToTakeNoteOf() {
    var failing =
        new StubNotifications(
            _ -> {
              throw new IllegalStateException("a defect");
            },
            time);

    for (int i = 0; i <= NotificationReviews.OPEN_MAX; i++) {
      assertAllowed(failing.receive(deletion("net1", read), ENTRY, PATIENCE));
    }

    await().until(() -> read.availablePermits() == NotificationReviews.OPEN_MAX + 1);
  }

  @Test
  void takesNoNoteOfWhatDeletesNothing() {
    KubeObject review = KubeJson.readObject(deletion("net1"));

    assertAllowed(
        notifications.receive(
            new ReviewBody(KubeJson.write(review.with(true, "request", "dryRun")), read, 1),
            ENTRY,
            PATIENCE));
    assertAllowed(
        notifications.receive(
            new ReviewBody(KubeJson.write(review.with("CONNECT", "request", "operation")), read, 1),
            ENTRY,
            PATIENCE));

    assertThat(read.availablePermits()).isEqualTo(2);
    assertThat(attempts).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"kind\": \"AdmissionReview\", \"request\": {\"uid\": \"r-1\", \"kind\":",
        "{\"apiVersion\": \"admission.k8s.io/v1\", \"kind\": \"AdmissionReview\","
            + " \"request\": {\"uid\": \"r-1\", \"operation\": \"DELETE\"}}",
        "{\"apiVersion\": \"admission.k8s.io/v2\", \"kind\": \"AdmissionReview\","
            + " \"request\": {\"uid\": \"r-1\", \"operation\": \"DELETE\"}}"
      })
  void allowsWhatItCannotRead(String body) {
    assertAllowed(
        notifications.receive(
            new ReviewBody(body.getBytes(StandardCharsets.UTF_8), read, 1), ENTRY, PATIENCE));

    assertThat(read.availablePermits()).isEqualTo(1);
    assertThat(attempts).hasValue(0);
  }

  private boolean note(Review.Deletion review) {
    attempts.incrementAndGet();
    if (known) {
      noted.add(review.target().key().name() + " " + review.provider().orElseThrow());
    }
    return known;
  }

  private boolean writtenSlowly(Review.Deletion review) {
    Latches.awaitUnlessInterrupted(slow);
    return note(review);
  }

  private static void assertAllowed(Answer answer) {
    KubeObject review = KubeJson.readObject(answer.body());
    assertThat(review.map("response")).isEqualTo(Map.of("uid", "r-1", "allowed", true));
    assertThat(answer.outcome()).isEqualTo(Outcome.NOTIFIED);
  }

  private static ReviewBody deletion(String name, Semaphore read) {
    return new ReviewBody(deletion(name), read, 1);
  }

  private static byte[] deletion(String name) {
    return """
    {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
      "uid": "r-1", "operation": "DELETE",
      "resource": {"group": "network.example.com", "version": "v1", "resource": "vpcs"},
      "oldObject": {"kind": "VPC", "metadata": {
        "name": "%s", "annotations": {"kcp.io/cluster": "consumer1"}}}}}
    """
        .formatted(name)
        .getBytes(StandardCharsets.UTF_8);
  }
}
