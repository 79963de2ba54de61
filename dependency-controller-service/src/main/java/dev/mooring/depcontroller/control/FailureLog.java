package dev.mooring.depcontroller.control;

import dev.mooring.runtime.queue.QueueListener;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** ParentAnswer what failed, loudly only at first. */
final class FailureLog implements QueueListener<Work> {
  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

  @Override
  public void succeeded(Work work, Duration took) {
    LOG.trace("{} took {}", work, took);
  }

  @Override
  public void failed(Work work, Exception cause, int failures, Duration retryAfter) {
    if (failures == 2) {
      LOG.warn("{} failed, next try in {}: {}", work, retryAfter, cause.getMessage());
    } else {
      LOG.debug("{} failed {} times, next in {}", work, failures, retryAfter, cause);
    }
  }
}
