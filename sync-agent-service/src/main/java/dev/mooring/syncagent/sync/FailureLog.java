package dev.mooring.syncagent.sync;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.log.LogFields;
import dev.mooring.runtime.queue.QueueListener;
import dev.mooring.syncagent.sync.FailureRegistry.Failure;
import dev.mooring.syncagent.sync.ObjectDiagnosis.State;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes failed passes in the status and the log; only the first in a row as a warning. The listener
 * is notified after every pass.
 */
record FailureLog(
    String published,
    ResourceType type,
    Function<LogicalCluster, Optional<String>> paths,
    FailureRegistry failures,
    ObjectSync.Listener listener)
    implements QueueListener<ObjectKey> {
  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

  @Override
  public LogFields about(ObjectKey key) {
    LogFields object =
        LogFields.NONE.publishedResource(published).object(GroupResource.of(type), key);
    return paths.apply(key.cluster()).map(object::workspace).orElse(object);
  }

  /** A consumer that writes much delays no other. */
  @Override
  public Object tenant(ObjectKey key) {
    return key.cluster();
  }

  @Override
  public void succeeded(ObjectKey key, Duration took) {
    // Successful passes say themselves what they did.
    passed();
  }

  @Override
  public void failed(ObjectKey key, Exception cause, int inARow, Duration retryAfter) {
    failures.report(
        key,
        new Failure(
            SyncReporter.isRefusal(cause) ? State.REFUSED : State.FAILED,
            SyncReporter.FAILED,
            String.valueOf(cause.getMessage())));
    passed();
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

  private void passed() {
    if (failures.failingChanged()) {
      listener.failingChanged(published);
    } else {
      listener.passed(published);
    }
  }
}
