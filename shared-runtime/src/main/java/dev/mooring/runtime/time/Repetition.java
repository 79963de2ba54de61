package dev.mooring.runtime.time;

import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An action that runs on a virtual thread, each time a period after the end of its last run. */
final class Repetition implements Scheduler.Scheduled {
  private static final Logger LOG = LoggerFactory.getLogger(Repetition.class);

  private final Scheduler scheduler;
  private final Supplier<Duration> period;
  private final String name;
  private final Runnable action;
  private volatile Scheduler.Scheduled next;
  private volatile boolean cancelled;

  Repetition(Scheduler scheduler, Supplier<Duration> period, String name, Runnable action) {
    this.scheduler = scheduler;
    this.period = period;
    this.name = name;
    this.action = action;
    this.next = later();
  }

  private Scheduler.Scheduled later() {
    return scheduler.after(period.get(), () -> Thread.ofVirtual().name(name).start(this::run));
  }

  private void run() {
    if (cancelled) {
      return;
    }
    try {
      action.run();
    } catch (RuntimeException e) {
      LOG.error("{} failed; next attempt in {}", name, period.get(), e);
    } finally {
      next = later();
      if (cancelled) {
        next.cancel();
      }
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
    next.cancel();
  }
}
