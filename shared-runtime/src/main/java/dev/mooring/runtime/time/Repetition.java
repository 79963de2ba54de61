package dev.mooring.runtime.time;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An action that runs on a virtual thread, each time a period after the end of its last run. */
final class Repetition implements Scheduler.Scheduled {
  private static final Logger LOG = LoggerFactory.getLogger(Repetition.class);

  private final Scheduler scheduler;
  private final Duration period;
  private final String name;
  private final Runnable action;
  private volatile Scheduler.Scheduled next;
  private volatile boolean cancelled;

  Repetition(Scheduler scheduler, Duration period, String name, Runnable action) {
    this.scheduler = scheduler;
    this.period = period;
    this.name = name;
    this.action = action;
    this.next = afterPeriod();
  }

  private Scheduler.Scheduled afterPeriod() {
    return scheduler.after(period, () -> Thread.ofVirtual().name(name).start(this::run));
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
      next = afterPeriod();
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
