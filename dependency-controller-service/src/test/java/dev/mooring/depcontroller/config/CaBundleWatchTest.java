package dev.mooring.depcontroller.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CaBundleWatchTest {
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final Queue<Runnable> scheduled = new ConcurrentLinkedQueue<>();
  private final AtomicInteger corrections = new AtomicInteger();
  private volatile String bundle = "T0xE";
  private volatile RuntimeException failure;

  private final CaBundleWatch watch =
      new CaBundleWatch(
          new Source(),
          corrections::incrementAndGet,
          (delay, task) -> {
            assertThat(delay).isEqualTo(PERIOD);
            scheduled.add(task);
            return () -> scheduled.remove(task);
          },
          PERIOD);

  @Test
  void hasConfigurationsCorrectedOnceForEachChange() {
    look();
    assertThat(corrections).hasValue(0);

    bundle = "TkVX";
    look();
    look();

    assertThat(corrections).hasValue(1);
  }

  @Test
  void looksAgainWhateverBecameOfALook() {
    failure = new java.util.NoSuchElementException("No value present");
    look();

    failure = null;
    bundle = "TkVX";
    look();

    assertThat(corrections).hasValue(1);
  }

  @Test
  void leavesConfigurationsAloneWhileTheBundleCannotBeRead() {
    bundle = "";
    look();

    assertThat(corrections).hasValue(0);
  }

  @Test
  void looksNoMoreOnceItIsClosed() {
    watch.close();

    assertThat(scheduled).isEmpty();
  }

  /** Has the look that is due made, and waits for the next to be due. */
  private void look() {
    scheduled.remove().run();
    await().until(() -> !scheduled.isEmpty());
  }

  private final class Source implements CaSource {
    @Override
    public String base64() {
      return bundle;
    }

    @Override
    public void look() {
      if (failure != null) {
        throw failure;
      }
    }
  }
}
