package dev.mooring.depcontroller.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CaBundleRefresherTest {
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final Queue<Runnable> scheduled = new ConcurrentLinkedQueue<>();
  private final AtomicInteger corrections = new AtomicInteger();
  private volatile String bundle = "T0xE";
  private volatile RuntimeException failure;

  private final CaBundleRefresher refresher =
      new CaBundleRefresher(
          this::read,
          corrections::incrementAndGet,
          (delay, task) -> {
            assertThat(delay).isEqualTo(PERIOD);
            scheduled.add(task);
            return () -> scheduled.remove(task);
          },
          PERIOD);

  @Test
  void hasConfigurationsCorrectedOnceForEachChange() {
    refresh();
    assertThat(corrections).hasValue(0);

    bundle = "TkVX";
    refresh();
    refresh();

    assertThat(corrections).hasValue(1);
  }

  @Test
  void refreshesAgainAfterAFailure() {
    failure = new java.util.NoSuchElementException("No value present");
    refresh();

    failure = null;
    bundle = "TkVX";
    refresh();

    assertThat(corrections).hasValue(1);
  }

  @Test
  void leavesConfigurationsAloneWhileTheBundleCannotBeRead() {
    bundle = "";
    refresh();

    assertThat(corrections).hasValue(0);
  }

  @Test
  void refreshesNothingOnceItIsClosed() {
    refresher.close();

    assertThat(scheduled).isEmpty();
  }

  /** Runs the refresh that is due, and waits until the next one is scheduled. */
  private void refresh() {
    scheduled.remove().run();
    await().until(() -> !scheduled.isEmpty());
  }

  private String read() {
    if (failure != null) {
      throw failure;
    }
    return bundle;
  }
}
