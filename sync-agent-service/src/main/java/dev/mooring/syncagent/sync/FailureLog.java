package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.queue.QueueListener;
import dev.mooring.syncagent.sync.Troubles.Outlook;
import dev.mooring.syncagent.sync.Troubles.Trouble;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notes failed passes in the status and the log; only the first in a row as a warning. */
final class FailureLog implements QueueListener<ObjectKey> {
  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

  private final String published;
  private final Troubles troubles;

  private final Runnable passed;

  /**
   * @param passed called after every pass; must not block
   */
  FailureLog(String published, Troubles troubles, Runnable passed) {
    this.published = published;
    this.troubles = troubles;
    this.passed = passed;
  }

  @Override
  public void succeeded(ObjectKey key, Duration took) {
    // Successful passes say themselves what they did.
    passed.run();
  }

  @Override
  public void failed(ObjectKey key, Exception cause, int failures, Duration retryAfter) {
    troubles.report(
        key,
        new Trouble(
            Telling.isRefusal(cause) ? Outlook.REFUSED : Outlook.FAILED,
            "ReconcilingError",
            String.valueOf(cause.getMessage())));
    passed.run();
    if (failures == 1) {
      LOG.warn(
          "Cannot sync {} of {}, trying again in {}: {}",
          key,
          published,
          retryAfter,
          cause.getMessage());
    } else {
      LOG.debug("Attempt {} to sync {} of {} failed", failures, key, published, cause);
    }
  }
}
