package dev.mooring.depwebhook.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestCoalescerTest {
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

  @Test
  void whoComesBackOnBeingToldDoesNotWaitForARest() throws Exception {
    join("first", () -> join("again", () -> {}));

    assertThat(served.poll(10, TimeUnit.SECONDS)).containsExactly("first");
    assertThat(served.poll(10, TimeUnit.SECONDS)).containsExactly("again");
    assertThat(rests).isEmpty();
  }

  private void join(String member, Runnable told) {
    batches.join(
        "key",
        member,
        batch -> {
          served.add(batch);
          return told;
        });
  }
}
