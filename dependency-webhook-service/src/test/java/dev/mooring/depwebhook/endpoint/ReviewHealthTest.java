package dev.mooring.depwebhook.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ReviewHealthTest {
  @Test
  void aThreadDumpShowsAVirtualThreadThatRunsMooringsCode() throws InterruptedException {
    var running = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    Thread review = Thread.ofVirtual().name("review-1").start(() -> waits(running, end));
    running.await();

    String dump = ThreadDump.text();

    end.countDown();
    review.join();
    assertThat(dump)
        .contains("review-1", "ReviewHealthTest.waits")
        .doesNotContain("Reference Handler");
  }

  private static void waits(CountDownLatch running, CountDownLatch end) {
    running.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
