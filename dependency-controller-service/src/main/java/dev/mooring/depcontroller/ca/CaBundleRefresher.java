package dev.mooring.depcontroller.ca;

import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refreshes the CA bundle periodically, and updates every webhook configuration on a change. */
public final class CaBundleRefresher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CaBundleRefresher.class);

  private final Supplier<String> source;
  private final Runnable correct;
  private final Scheduler.Scheduled refreshes;
  private String last;

  /**
   * @param source reads the bundle, in Base64; an IllegalStateException says why it cannot
   * @param correct requeues every webhook configuration
   * @param period from one refresh to the next
   */
  public CaBundleRefresher(
      Supplier<String> source, Runnable correct, Scheduler scheduler, Duration period) {
    this.source = source;
    this.correct = correct;
    this.last = read();
    this.refreshes = scheduler.every(period, "ca-refresh", this::refresh);
  }

  private void refresh() {
    String now = read();
    if (!now.isEmpty() && !now.equals(last)) {
      last = now;
      LOG.info("The CA bundle changed; updating every webhook configuration");
      correct.run();
    }
  }

  /** Empty while it cannot be read; configurations stay as they are then. */
  private String read() {
    try {
      return source.get();
    } catch (IllegalStateException e) {
      LOG.warn("{}; webhook configurations are not written until it can", e.getMessage());
      return "";
    }
  }

  @Override
  public void close() {
    refreshes.cancel();
  }
}
