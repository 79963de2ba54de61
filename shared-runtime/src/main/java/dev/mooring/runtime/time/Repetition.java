package dev.mooring.runtime.time;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An action that runs on a virtual thread, each time a while after the end of its last run. */
final class Repetition implements Scheduler.Scheduled {
  private static final Logger LOG = LoggerFactory.getLogger(Repetition.class);

  private final Scheduler scheduler;
  private final Duration period;
  private final String name;
  private final Callable<Duration> action;
  private volatile Scheduler.Scheduled next;
  private volatile boolean cancelled;

  Repetition(Scheduler scheduler, Duration period, String name, Callable<Duration> action) {
    this.scheduler = scheduler;
    this.period = period;
    this.name = name;
    this.action = action;
    this.next = after(period);
  }

  private Scheduler.Scheduled after(Duration delay) {
    return scheduler.after(delay, () -> Thread.ofVirtual().name(name).start(this::run));
  }

  private void run() {
    if (cancelled) {
      return;
    }
    Duration delay = period;
    try {
      delay = action.call();
    } catch (Exception | Error e) {
      LOG.error("{} failed; it is repeated", name, e);
    } finally {
      next = after(delay);
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
