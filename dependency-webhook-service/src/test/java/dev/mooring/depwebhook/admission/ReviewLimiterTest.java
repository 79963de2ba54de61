package dev.mooring.depwebhook.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.admission.WebhookEntry.Kind;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.time.ManualTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With room for one large review. */
class ReviewLimiterTest {
  private static final int SIZE_MAX = 100_000;
  private static final int LARGE = 60_000;
  private static final Answer ANSWER = StubHandler.ANSWER;

  private final List<Integer> judged = new CopyOnWriteArrayList<>();
  private final List<String> noted = new CopyOnWriteArrayList<>();
  private final CountDownLatch slow = new CountDownLatch(1);
  private final ReviewLimiter intake =
      new ReviewLimiter(
          new StubHandler((body, entry, _) -> {
            judged.add(body.length);
            if (entry.provider().equals("slow")) {
              Latches.awaitUnlessInterrupted(slow);
            }
            return ANSWER;
          }),
          new StubNotifications(
              review -> noted.add(review.target().key().name()), new ManualTime()),
          () -> Instant.EPOCH,
          SIZE_MAX,
          SIZE_MAX);

  @AfterEach
  void lets() {
    slow.countDown();
  }

  @Test
  void evaluatesASmallReviewTogetherWithALargeOne() throws Exception {
    CompletableFuture<Answer> large = underWay();

    assertThat(answer(review(100), 100, "", "10s")).isEqualTo(ANSWER);

    assertThat(large).isNotDone();
  }

  @Test
  void hasALargeReviewWaitForAnother() throws Exception {
    CompletableFuture<Answer> first = underWay();
    CompletableFuture<Answer> second = later(review(LARGE), LARGE, "", "30s");
    await().until(() -> intake.waiting() == 1);
    assertThat(judged).hasSize(1);

    slow.countDown();

    assertThat(first.get()).isEqualTo(ANSWER);
    assertThat(second.get()).isEqualTo(ANSWER);
    assertThat(judged).containsExactly(LARGE, LARGE);
  }

  @Test
  void asksToComeAgainIfThereIsNoRoomInTime() throws Exception {
    underWay();

    Answer answer = answer(review(LARGE), LARGE, "", "1s");

    KubeObject review = KubeJson.readObject(answer.body());
    assertThat(answer.outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(review.text("response", "uid")).isEqualTo("r-1");
    assertThat(review.at("response", "allowed")).isEqualTo(false);
    assertThat(review.at("response", "status", "code")).isEqualTo(503L);
    assertThat(review.text("response", "status", "message"))
        .contains("no memory for this review of 60000 bytes");
  }

  @Test
  void keepsTheRoomOfAReviewThatIsStillJudgedAfterItsAnswer() throws Exception {
    assertThat(answer(review(LARGE), LARGE, "slow", "1s").outcome()).isEqualTo(Outcome.TIMED_OUT);
    CompletableFuture<Answer> next = later(review(LARGE), LARGE, "", "30s");
    await().until(() -> intake.waiting() == 1);

    slow.countDown();

    assertThat(next.get()).isEqualTo(ANSWER);
  }

  @Test
  void asksToComeAgainWhileTooManyAreStillJudgedThoughTheyWereAnswered() throws Exception {
    List<CompletableFuture<Answer>> abandoned =
        IntStream.range(0, ReviewLimiter.IN_PROGRESS_MAX)
            .mapToObj(_ -> later(review(100), 100, "slow", "1s"))
            .toList();
    for (CompletableFuture<Answer> answer : abandoned) {
      assertThat(answer.get().outcome()).isEqualTo(Outcome.TIMED_OUT);
    }

    Answer answer = answer(review(100), 100, "", "1s");

    KubeObject review = KubeJson.readObject(answer.body());
    assertThat(answer.outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(review.text("response", "uid")).isEqualTo("r-1");
    assertThat(review.at("response", "allowed")).isEqualTo(false);
    assertThat(review.at("response", "status", "code")).isEqualTo(503L);
    assertThat(review.at("response", "status", "details", "retryAfterSeconds")).isEqualTo(1L);
    assertThat(review.text("response", "status", "message"))
        .startsWith("300 reviews are already in progress in the dependency webhook")
        .endsWith(": ask again, or give it more replicas");
    CompletableFuture<Answer> large = later(review(LARGE), LARGE, "", "30s");
    CompletableFuture<Answer> small = later(review(100), 100, "", "30s");
    await().until(() -> intake.waiting() == 2);

    slow.countDown();

    assertThat(large.get()).isEqualTo(ANSWER);
    assertThat(small.get()).isEqualTo(ANSWER);
    assertThat(answer(review(LARGE), LARGE, "", "1s")).isEqualTo(ANSWER);
  }

  @Test
  void givesBackTheRoomOfABodyThatBreaksOff() throws Exception {
    var broken =
        new SequenceInputStream(
            review(LARGE),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("reset");
              }
            });

    assertThatThrownBy(() -> answer(broken, SIZE_MAX, "", "1s")).hasMessage("reset");

    assertThat(answer(review(LARGE), LARGE, "", "1s")).isEqualTo(ANSWER);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, SIZE_MAX + 1})
  void refusesWhatIsTooLargeWhetherOrNotItSaysSo(long length) throws Exception {
    Answer answer = answer(review(SIZE_MAX + 1), length, "", "1s");

    KubeObject review = KubeJson.readObject(answer.body());
    assertThat(review.at("response", "status", "code")).isEqualTo(413L);
    assertThat(review.text("response", "uid")).isEqualTo("r-1");
    assertThat(answer(review(SIZE_MAX), -1, "", "1s")).isEqualTo(ANSWER);
  }

  @Test
  void warnsOfAnAdvisoryDeletionThatFindsNoRoom() throws Exception {
    underWay();

    assertUnchecked(
        intake.limit(review(LARGE), LARGE, new WebhookEntry("network1", Kind.WARNING), "1s"),
        "the dependency webhook has no memory for this review of 60000 bytes while it evaluates"
            + " others");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, SIZE_MAX + 1})
  void warnsOfAnAdvisoryDeletionThatIsTooLarge(long length) throws Exception {
    assertUnchecked(
        intake.limit(
            review(SIZE_MAX + 1), length, new WebhookEntry("network1", Kind.WARNING), "1s"),
        "the review is larger than 100000 bytes");
  }

  private static void assertUnchecked(Answer answer, String why) {
    assertThat(answer.outcome()).isEqualTo(Outcome.UNCHECKED);
    assertThat(KubeJson.readObject(answer.body()).map("response"))
        .isEqualTo(
            Map.of(
                "uid",
                "r-1",
                "allowed",
                true,
                "warnings",
                List.of("not checked for what still refers to it: " + why)));
  }

  @Test
  void takesNoteOfALargeDeletionWhereThereIsRoom() throws Exception {
    for (String name : List.of("net1", "net2")) {
      assertAllowed(
          intake.limit(
              deletion(name, LARGE), LARGE, new WebhookEntry("network1", Kind.NOTIFYING), "30s"));
    }

    assertThat(noted).containsExactly("net1", "net2");
    assertThat(judged).isEmpty();
  }

  @Test
  void allowsANotificationWithoutRoomForIt() throws Exception {
    CompletableFuture<Answer> large = underWay();

    assertAllowed(
        intake.limit(
            deletion("net1", LARGE), LARGE, new WebhookEntry("network1", Kind.NOTIFYING), "30s"));

    assertThat(noted).isEmpty();
    assertThat(large).isNotDone();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, SIZE_MAX + 1})
  void allowsANotificationThatIsTooLarge(long length) throws Exception {
    InputStream body = deletion("net1", SIZE_MAX + 1);

    assertAllowed(intake.limit(body, length, new WebhookEntry("network1", Kind.NOTIFYING), "30s"));

    assertThat(noted).isEmpty();
    assertThat(body.available()).isZero();
    assertAllowed(
        intake.limit(
            deletion("net2", SIZE_MAX), -1, new WebhookEntry("network1", Kind.NOTIFYING), "30s"));
    assertThat(noted).containsExactly("net2");
  }

  private static void assertAllowed(Answer answer) {
    KubeObject review = KubeJson.readObject(answer.body());
    assertThat(review.map("response")).isEqualTo(Map.of("uid", "r-1", "allowed", true));
  }

  private static InputStream deletion(String name, int bytes) {
    String review =
        """
        {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
          "uid": "r-1", "operation": "DELETE",
          "resource": {"group": "network.example.com", "version": "v1", "resource": "vpcs"},
          "oldObject": {"kind": "VPC", "metadata": {
            "name": "%s", "annotations": {"kcp.io/cluster": "consumer1"}}}}}
        """
            .formatted(name);
    return new ByteArrayInputStream(
        (review + " ".repeat(bytes - review.length())).getBytes(StandardCharsets.UTF_8));
  }

  /** A large review that is being judged until {@link #slow} is counted down. */
  private CompletableFuture<Answer> underWay() {
    CompletableFuture<Answer> answer = later(review(LARGE), LARGE, "slow", "30s");
    await().until(() -> !judged.isEmpty());
    return answer;
  }

  private CompletableFuture<Answer> later(
      InputStream body, long length, String provider, String timeout) {
    var answer = new CompletableFuture<Answer>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            answer.complete(answer(body, length, provider, timeout));
          } catch (IOException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  private Answer answer(InputStream body, long length, String provider, String timeout)
      throws IOException {
    return intake.limit(body, length, new WebhookEntry(provider, Kind.DENYING), timeout);
  }

  private static InputStream review(int bytes) {
    String start = "{\"kind\": \"AdmissionReview\", \"request\": {\"uid\": \"r-1\", \"x\": \"";
    return new ByteArrayInputStream(
        (start + "x".repeat(bytes - start.length())).getBytes(StandardCharsets.UTF_8));
  }
}
