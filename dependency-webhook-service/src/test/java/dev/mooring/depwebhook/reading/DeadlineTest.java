package dev.mooring.depwebhook.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadlineTest {
  private static final String EXPIRED = "the deadline of the review expired";

  private final Deadline deadline = Deadline.none();

  @Test
  void endsAReadOnceItsTimeIsOverAndLeavesTheThreadFitForMore() {
    var soon = new Deadline(() -> Instant.EPOCH, Duration.ofMillis(10));

    assertThatThrownBy(() -> unanswered().result(soon))
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure -> assertThat(failure.kind()).isEqualTo(KubeFailure.Kind.UNAVAILABLE))
        .hasMessage("what never comes: " + EXPIRED);
    assertThat(soon.isExpired()).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void endsAReadThatNeedsAnotherAndEveryLaterOne() {
    var soon = new Deadline(() -> Instant.EPOCH, Duration.ofMillis(10));
    PendingRead<String> outer = PendingRead.begin("both", () -> unanswered().result(soon));

    assertThatThrownBy(outer::result)
        .isInstanceOf(KubeFailure.class)
        .hasMessage("what never comes: " + EXPIRED);
    assertThatThrownBy(() -> PendingRead.of("after the deadline").result(soon))
        .isInstanceOf(KubeFailure.class)
        .hasMessage(EXPIRED);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void takesNoOtherFailureForItsEnd() {
    PendingRead<String> broken =
        PendingRead.begin(
            "what fails",
            () -> {
              throw new IllegalStateException("broken");
            });

    assertThatThrownBy(() -> broken.result(deadline))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("broken");
    assertThat(PendingRead.begin("a text", () -> "read").result(deadline)).isEqualTo("read");
  }

  @Test
  void hearsNothingThatIsReadWhileItExpires() {
    PendingRead<String> read =
        PendingRead.begin(
            "a text",
            () -> {
              deadline.expire();
              return "read";
            });

    assertThatThrownBy(() -> read.result(deadline)).isInstanceOf(KubeFailure.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** A review with a record in the register can withdraw it, also after a read that failed. */
  @Test
  void takesAnyFailureForItsEndOnceItExpired() {
    Thread caller = Thread.currentThread();
    PendingRead<String> read =
        PendingRead.begin(
            "what fails",
            () -> {
              await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
              deadline.expire();
              throw new IllegalStateException("broken");
            });

    assertThatThrownBy(() -> read.result(deadline))
        .isInstanceOf(KubeFailure.class)
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @CsvSource({"10s, 10", "1s, 1", "30s, 30", "31s, 10", "0s, 10", "1m, 10", "'', 10", "-5s, 10"})
  void takesTheTimeoutFromTheUrlAndElseTheDefault(String timeout, long seconds) {
    assertThat(Deadline.start(() -> Instant.EPOCH, timeout).timeout())
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  /** A read that ends only if it is cancelled. */
  private static PendingRead<String> unanswered() {
    return PendingRead.begin(
        "what never comes",
        () -> {
          new CountDownLatch(1).await();
          return "";
        });
  }
}
