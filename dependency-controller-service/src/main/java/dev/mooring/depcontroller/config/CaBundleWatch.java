package dev.mooring.depcontroller.config;

import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has every configuration corrected when the CA bundle changes, whatever becomes of one look. */
final class CaBundleWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CaBundleWatch.class);

  private final CaSource source;
  private final Runnable correct;
  private final Scheduler scheduler;
  private final Duration period;
  private volatile Scheduler.Scheduled next;
  private volatile boolean closed;
  private String last;

  /**
   * @param correct has every configuration looked at again, soon
   */
  CaBundleWatch(CaSource source, Runnable correct, Scheduler scheduler, Duration period) {
    this.source = source;
    this.correct = correct;
    this.scheduler = scheduler;
    this.period = period;
    this.last = read();
    this.next = scheduler.after(period, this::lookElsewhere);
  }

  /** Requests take time, and the scheduler's thread is everybody's. */
  private void lookElsewhere() {
    Thread.ofVirtual().name("ca-look").start(this::look);
  }

  private void look() {
    try {
      source.look();
      String now = read();
      if (!now.isEmpty() && !now.equals(last)) {
        last = now;
        LOG.info("The CA bundle changed; correcting every webhook configuration");
        correct.run();
      }
    } catch (RuntimeException e) {
      LOG.error("The CA bundle cannot be looked at; trying again in {}", period, e);
    } finally {
      if (!closed) {
        next = scheduler.after(period, this::lookElsewhere);
      }
    }
  }

  /** Empty while it cannot be read; configurations stay as they are then. */
  private String read() {
    try {
      return source.base64();
    } catch (IllegalStateException e) {
      LOG.warn("{}; webhook configurations are not written until it can", e.getMessage());
      return "";
    }
  }

  @Override
  public void close() {
    closed = true;
    next.cancel();
  }
}
