package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.config.WebhookProperties;
import dev.mooring.runtime.time.Scheduler;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Drains connections before the web server stops. A review on a connection that the server closes
 * at that moment is lost, and so denied. For a while reviews are therefore still answered, each as
 * the last of its connection. Thread-safe.
 */
@Component
class Drain implements SmartLifecycle {
  private final WebhookProperties properties;
  private final Scheduler scheduler;
  private volatile boolean running;

  Drain(WebhookProperties properties, Scheduler scheduler) {
    this.properties = properties;
    this.scheduler = scheduler;
  }

  /** Whether the client is to open another connection, to another replica, next time. */
  boolean lastOfItsConnection() {
    return !running;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
  }

  /** The web server's phase comes after this one, when the callback has been called. */
  @Override
  public void stop(Runnable callback) {
    stop();
    scheduler.after(properties.drain(), callback);
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return SmartLifecycle.DEFAULT_PHASE;
  }
}
