package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.queue.QueueListener;
import dev.mooring.syncagent.sync.FailureRegistry.Failure;
import dev.mooring.syncagent.sync.FailureRegistry.Outlook;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes failed passes in the status and the log; only the first in a row as a warning.
 *
 * @param passed called after every pass; must not block
 */
record FailureLog(String published, FailureRegistry failures, Runnable passed)
    implements QueueListener<ObjectKey> {
  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

  @Override
  public void succeeded(ObjectKey key, Duration took) {
    // Successful passes say themselves what they did.
    passed.run();
  }

  @Override
  public void failed(ObjectKey key, Exception cause, int inARow, Duration retryAfter) {
    failures.report(
        key,
        new Failure(
            SyncReporter.isRefusal(cause) ? Outlook.REFUSED : Outlook.FAILED,
            "ReconcilingError",
            String.valueOf(cause.getMessage())));
    passed.run();
    if (inARow == 1) {
      LOG.warn(
          "Cannot sync {} of {}, trying again in {}: {}",
          key,
          published,
          retryAfter,
          cause.getMessage());
    } else {
      LOG.debug("Attempt {} to sync {} of {} failed", inARow, key, published, cause);
    }
  }
}
