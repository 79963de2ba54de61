package dev.mooring.depwebhook.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestCoalescerTest {
  /** Where it is set no thread can be made, and this happens meanwhile. */
  private static final InheritableThreadLocal<Runnable> THREADS_REFUSED =
      new InheritableThreadLocal<>() {
        @Override
        protected Runnable childValue(Runnable meanwhile) {
          meanwhile.run();
          throw new IllegalStateException("no thread");
        }
      };

  private final LinkedBlockingQueue<Runnable> rests = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<List<String>> served = new LinkedBlockingQueue<>();
  private final RequestCoalescer<String, String> batches =
      new RequestCoalescer<>(
          _ -> Duration.ofSeconds(1),
          () -> Instant.EPOCH,
          (_, over) -> {
            rests.add(over);
            return () -> {};
          });

  @AfterEach
  void threadsCanBeMade() {
    THREADS_REFUSED.remove();
  }

  @Test
  void whoComesBackOnBeingToldDoesNotWaitForARest() throws Exception {
    join("first", () -> join("again", () -> {}));

    assertThat(served.poll(10, TimeUnit.SECONDS)).containsExactly("first");
    assertThat(served.poll(10, TimeUnit.SECONDS)).containsExactly("again");
    assertThat(rests).isEmpty();
  }

  @Test
  void aKeyWhoseRunCouldNotStartDoesNotWait() throws Exception {
    THREADS_REFUSED.set(() -> {});
    assertThatThrownBy(() -> join("failed", () -> {})).hasMessage("no thread");
    THREADS_REFUSED.remove();

    join("next", () -> {});

    assertThat(served.poll(10, TimeUnit.SECONDS)).containsExactly("next");
  }

  @Test
  void whoJoinedARunThatCouldNotStartIsServedByTheNext() throws Exception {
    THREADS_REFUSED.set(() -> join("joined", () -> {}));
    assertThatThrownBy(() -> join("failed", () -> {})).hasMessage("no thread");
    THREADS_REFUSED.remove();

    rests.poll(10, TimeUnit.SECONDS).run();

    assertThat(served.poll(10, TimeUnit.SECONDS)).containsExactly("joined");
  }

  /** The run after the pause cannot start either. */
  @Test
  void aRunAfterAPauseThatCouldNotStartServesItsMembersAndItsKeyGoesOn() throws Exception {
    THREADS_REFUSED.set(() -> join("joined", () -> {}));
    assertThatThrownBy(() -> join("failed", () -> {})).hasMessage("no thread");
    THREADS_REFUSED.set(() -> {});
    Runnable rest = rests.poll(10, TimeUnit.SECONDS);
    catchThrowable(rest::run);
    THREADS_REFUSED.remove();

    join("next", () -> {});

    assertThat(served.poll(10, TimeUnit.SECONDS)).containsExactly("joined");
    assertThat(served.poll(10, TimeUnit.SECONDS)).containsExactly("next");
  }

  private void join(String member, Runnable completion) {
    batches.join(
        "key",
        member,
        batch -> {
          served.add(batch);
          return completion;
        });
  }
}
