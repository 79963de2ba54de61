package dev.mooring.benchmarks.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.harness.HarnessFailure;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoadTest {
  @Test
  void doesAllOfAListOnce() {
    var done = new AtomicInteger();

    Load.share(List.of(1, 20, 300), done::addAndGet);

    assertThat(done).hasValue(321);
  }

  @Test
  void reportsAnErrorAsTheFailureOfTheRun() {
    var error = new AssertionError("planted");

    assertThatThrownBy(() -> Load.share(0, 20, _ -> raise(error)))
        .isInstanceOf(HarnessFailure.class)
        .hasMessageContaining("planted")
        .hasCause(error);
    assertThatThrownBy(() -> Load.together(List.of(1, 2), _ -> raise(error)))
        .isInstanceOf(HarnessFailure.class)
        .hasCause(error);
    assertThatThrownBy(() -> Load.steadily(1_000, 2, (_, _) -> raise(error)))
        .isInstanceOf(HarnessFailure.class)
        .hasCause(error);
  }

  @Test
  void namesAnErrorThatHasNoMessage() {
    assertThatThrownBy(() -> Load.share(0, 1, _ -> raise(new StackOverflowError())))
        .isInstanceOf(HarnessFailure.class)
        .hasMessageContaining("StackOverflowError");
  }

  private static void raise(Error error) {
    throw error;
  }
}
