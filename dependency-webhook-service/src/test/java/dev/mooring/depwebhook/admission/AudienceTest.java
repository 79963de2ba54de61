package dev.mooring.depwebhook.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.depwebhook.reading.PendingRead;
import dev.mooring.runtime.client.KubeFailure;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class AudienceTest {
  private final Audience audience = Audience.patient();

  @Test
  void endsAReadingOnceItLeavesAndLeavesTheThreadFitForMore() {
    assertThatThrownBy(() -> audience.during(unanswered()))
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure -> assertThat(failure.kind()).isEqualTo(KubeFailure.Kind.UNAVAILABLE));

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void endsANestedReadingAndInterruptsUntilTheOuterOneIsOver() {
    assertThatThrownBy(() ->
            audience.during(() -> {
              assertThatThrownBy(() -> audience.during(unanswered()))
                  .isInstanceOf(KubeFailure.class);
              assertThat(Thread.currentThread().isInterrupted()).isTrue();
              return audience.during(() -> "heard by nobody");
            }))
        .isInstanceOf(KubeFailure.class)
        .hasMessage("nobody waits for the answer any more");

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void hasNothingReadThatBeginsAfterItLeft() {
    audience.leaves();

    assertThatThrownBy(() ->
            audience.during(() -> {
              throw new AssertionError("nobody listens");
            }))
        .isInstanceOf(KubeFailure.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void takesNoOtherFailureForItsLeaving() {
    assertThatThrownBy(() ->
            audience.during(() -> {
              throw new IllegalStateException("broken");
            }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("broken");
    assertThat(audience.<String>during(() -> "read")).isEqualTo("read");
  }

  @Test
  void hearsNothingThatIsReadWhileItLeaves() {
    assertThatThrownBy(() ->
            audience.during(() -> {
              audience.leaves();
              return "read";
            }))
        .isInstanceOf(KubeFailure.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** Whatever an interruption comes to, whoever holds something in the register can go on. */
  @Test
  void takesAnyFailureForItsLeavingOnceItLeft() {
    assertThatThrownBy(() ->
            audience.during(() -> {
              audience.leaves();
              throw new IllegalStateException("interrupted");
            }))
        .isInstanceOf(KubeFailure.class)
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  /** A read during which the audience leaves. */
  private Supplier<String> unanswered() {
    return () -> {
      audience.leaves();
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
