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
  private volatile Duration lastPeriod;
  private volatile boolean cancelled;

  Repetition(Scheduler scheduler, Supplier<Duration> period, String name, Runnable action) {
    this.scheduler = scheduler;
    this.period = period;
    this.name = name;
    this.action = action;
    this.lastPeriod = period.get();
    this.next = after(lastPeriod);
  }

  private Scheduler.Scheduled after(Duration delay) {
    return scheduler.after(delay, () -> Thread.ofVirtual().name(name).start(this::run));
  }

  /** A period that cannot be determined stays as it was. */
  private Duration period() {
    try {
      lastPeriod = period.get();
    } catch (RuntimeException | Error e) {
      LOG.error("The period of {} is not known; it stays {}", name, lastPeriod, e);
    }
    return lastPeriod;
  }

  private void run() {
    if (cancelled) {
      return;
    }
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      LOG.error("{} failed; it is repeated", name, e);
    } finally {
      next = after(period());
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
