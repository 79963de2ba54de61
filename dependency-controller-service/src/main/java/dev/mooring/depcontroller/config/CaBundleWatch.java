package dev.mooring.depcontroller.config;

import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has every configuration corrected when the CA file changes. */
final class CaBundleWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CaBundleWatch.class);

  private final CaBundleFile file;
  private final DependencyController controller;
  private final Scheduler scheduler;
  private final Duration period;
  private volatile Scheduler.Scheduled next;
  private volatile boolean closed;
  private String last;

  CaBundleWatch(
      CaBundleFile file, DependencyController controller, Scheduler scheduler, Duration period) {
    this.file = file;
    this.controller = controller;
    this.scheduler = scheduler;
    this.period = period;
    this.last = read();
    this.next = scheduler.after(period, this::look);
  }

  private void look() {
    String now = read();
    if (!now.isEmpty() && !now.equals(last)) {
      last = now;
      LOG.info("The CA bundle changed; correcting every webhook configuration");
      Thread.ofVirtual().name("ca-resync").start(controller::resync);
    }
    if (!closed) {
      next = scheduler.after(period, this::look);
    }
  }

  /** Empty while it cannot be read; configurations stay as they are then. */
  private String read() {
    try {
      return file.base64();
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
