package dev.mooring.runtime.time;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import dev.mooring.runtime.testing.LoggedLines;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SystemTimeTest {

  @RegisterExtension final LoggedLines lines = new LoggedLines(SystemTime.class);

  /** One thread runs the tasks one after the other: what failed is logged by the last. */
  @Test
  void aTaskThatFailsIsLoggedAndTheTimerGoesOn() throws Exception {
    Scheduler timer = SystemTime.scheduler();
    var last = new CompletableFuture<String>();

    timer.after(
        Duration.ZERO,
        () -> {
          throw new IllegalStateException("planted exception");
        });
    timer.after(
        Duration.ZERO,
        () -> {
          throw new StackOverflowError("planted error");
        });
    timer.after(Duration.ZERO, () -> last.complete(Thread.currentThread().getName()));

    assertThat(last.get(1, TimeUnit.MINUTES)).isEqualTo("mooring-timer");
    assertThat(lines.all())
        .extracting(ILoggingEvent::getThrowableProxy)
        .extracting(IThrowableProxy::getMessage)
        .containsExactly("planted exception", "planted error");
  }
}
