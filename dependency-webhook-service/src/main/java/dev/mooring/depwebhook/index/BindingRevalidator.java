package dev.mooring.depwebhook.index;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeFailure;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has indexes look at where their objects come from, a few at a time and never one twice at once,
 * and tells the log what came of it. Thread-safe.
 */
final class BindingRevalidator {
  private static final Logger LOG = LoggerFactory.getLogger(BindingRevalidator.class);

  /** Under way at a time; others wait for their turn. */
  private static final int LOOKS_MAX = 16;

  private final InstantSource clock;
  private final Semaphore places = new Semaphore(LOOKS_MAX);
  private final Set<ReferenceIndex> underWay = ConcurrentHashMap.newKeySet();

  /**
   * What is to be done with an index that a look has put an end to.
   *
   * @param moved its objects come from elsewhere now
   * @param notServed there are none, nor can be for now
   */
  record Ends(Runnable moved, Runnable notServed) {}

  BindingRevalidator(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns at once. */
  void begin(LogicalCluster cluster, ResourceType type, ReferenceIndex index, Ends ends) {
    if (underWay.add(index)) {
      Thread.ofVirtual().name("index-look").start(() -> look(cluster, type, index, ends));
    }
  }

  private void look(LogicalCluster cluster, ResourceType type, ReferenceIndex index, Ends ends) {
    try {
      places.acquire();
      try {
        boolean failedBefore = index.problem().isPresent();
        switch (index.look(clock)) {
          case ReferenceIndex.Looked.Good() -> {}
          case ReferenceIndex.Looked.Moved(var from, var to) -> {
            LOG.info(
                "{} in logical cluster {}, once {}, is {}: indexed anew on demand",
                type,
                cluster,
                from,
                to);
            ends.moved().run();
          }
          case ReferenceIndex.Looked.NotServed() -> {
            LOG.debug("{} is not served in logical cluster {}: not indexed", type, cluster);
            ends.notServed().run();
          }
          case ReferenceIndex.Looked.Failed(var failure) -> {
            if (!failedBefore) {
              LOG.warn(
                  "{} in logical cluster {} is listed, not indexed, until its APIBindings can be"
                      + " read: {}",
                  type,
                  cluster,
                  explained(failure));
            }
          }
        }
      } finally {
        places.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      underWay.remove(index);
    }
  }

  private static String explained(KubeFailure failure) {
    return switch (failure.kind()) {
      case FORBIDDEN, UNAUTHORIZED ->
          failure.getMessage()
              + "; let the webhook's user get and list apibindings.apis.kcp.io there";
      case NOT_FOUND, NOT_SERVED, ALREADY_EXISTS, CONFLICT, INVALID, GONE, TOO_LARGE, UNAVAILABLE ->
          failure.getMessage();
    };
  }
}
