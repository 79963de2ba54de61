package dev.mooring.runtime.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UnblockedQueueTest {
  /** More than {@link QueueOptions#workers} has places for. */
  private static final int KEYS = 100_100;

  @Test
  void takesMoreKeysThanTheUsualCapacityWhileItsWorkerIsBusy() {
    var busy = new CountDownLatch(1);
    try (WorkQueue<Integer> queue =
        WorkQueue.start(
            "unblocked",
            QueueOptions.workers(1).withoutBlocking(),
            _ -> {
              busy.await();
              return new ReconcileResult.Done();
            },
            QueueListener.ofTenants(_ -> ""))) {
      var added =
          CompletableFuture.runAsync(() -> {
            for (int key = 0; key < KEYS; key++) {
              queue.add(key);
            }
          });

      // A watch's thread that is blocked sees no further changes.
      assertThatCode(() -> added.get(60, TimeUnit.SECONDS)).doesNotThrowAnyException();
      assertThat(queue.status().waiting() + queue.status().running()).isEqualTo(KEYS);
      queue.close(Duration.ZERO);
      busy.countDown();
    }
  }
}
