package dev.mooring.depwebhook.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadlineTest {
  private final Deadline deadline = Deadline.none();

  @Test
  void endsAReadingOnceItLeavesAndLeavesTheThreadFitForMore() {
    assertThatThrownBy(() -> deadline.during(unanswered()))
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure -> assertThat(failure.kind()).isEqualTo(KubeFailure.Kind.UNAVAILABLE));

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void endsANestedReadingAndInterruptsUntilTheOuterOneIsOver() {
    assertThatThrownBy(() ->
            deadline.during(() -> {
              assertThatThrownBy(() -> deadline.during(unanswered()))
                  .isInstanceOf(KubeFailure.class);
              assertThat(Thread.currentThread().isInterrupted()).isTrue();
              return deadline.during(() -> "after the deadline");
            }))
        .isInstanceOf(KubeFailure.class)
        .hasMessage("the deadline of the review expired");

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void hasNothingReadThatBeginsAfterItLeft() {
    deadline.expire();

    assertThatThrownBy(() ->
            deadline.during(() -> {
              throw new AssertionError("read after the deadline");
            }))
        .isInstanceOf(KubeFailure.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void takesNoOtherFailureForItsLeaving() {
    assertThatThrownBy(() ->
            deadline.during(() -> {
              throw new IllegalStateException("broken");
            }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("broken");
    assertThat(deadline.<String>during(() -> "read")).isEqualTo("read");
  }

  @Test
  void hearsNothingThatIsReadWhileItLeaves() {
    assertThatThrownBy(() ->
            deadline.during(() -> {
              deadline.expire();
              return "read";
            }))
        .isInstanceOf(KubeFailure.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** Whatever an interruption comes to, whoever holds something in the register can go on. */
  @Test
  void takesAnyFailureForItsLeavingOnceItLeft() {
    assertThatThrownBy(() ->
            deadline.during(() -> {
              deadline.expire();
              throw new IllegalStateException("interrupted");
            }))
        .isInstanceOf(KubeFailure.class)
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @CsvSource({"10s, 10", "1s, 1", "30s, 30", "31s, 10", "0s, 10", "1m, 10", "'', 10", "-5s, 10"})
  void takesTheTimeoutFromTheUrlAndElseTheDefault(String timeout, long seconds) {
    assertThat(Deadline.start(() -> Instant.EPOCH, timeout).timeout())
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  /** A read during which the deadline leaves. */
  private Supplier<String> unanswered() {
    return () -> {
      deadline.expire();
      return PendingRead.begin(
              "what never comes",
              () -> {
                new CountDownLatch(1).await();
                return "";
              })
          .result();
    };
  }
}
