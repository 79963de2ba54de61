package dev.mooring.depwebhook.index;

import dev.mooring.depwebhook.index.ReferenceIndex.Revalidation;
import dev.mooring.runtime.client.KubeFailure;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Revalidates the bindings of indexes on threads of its own, a few at a time and each index once at
 * a time. Thread-safe.
 */
final class BindingRevalidator {
  private static final Logger LOG = LoggerFactory.getLogger(BindingRevalidator.class);

  /** At a time; further indexes wait. */
  private static final int RUNNING_MAX = 16;

  private final InstantSource clock;
  private final Semaphore running = new Semaphore(RUNNING_MAX);
  private final Set<ReferenceIndex> started = ConcurrentHashMap.newKeySet();

  BindingRevalidator(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Returns at once.
   *
   * @param done receives the result
   */
  void start(ReferenceIndex index, Consumer<Revalidation> done) {
    if (started.add(index)) {
      Thread.ofVirtual().name("index-revalidation").start(() -> run(index, done));
    }
  }

  private void run(ReferenceIndex index, Consumer<Revalidation> done) {
    try {
      running.acquire();
      try {
        boolean failedBefore = index.problem().isPresent();
        Revalidation result = index.revalidate(clock);
        if (result instanceof Revalidation.Failed(var failure) && !failedBefore) {
          LOG.warn(
              "APIBinding of {} not readable; listing instead of indexing: {}",
              index,
              explained(failure));
        }
        done.accept(result);
      } finally {
        running.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      started.remove(index);
    }
  }

  private static String explained(KubeFailure failure) {
    return failure.isDenied()
        ? failure.getMessage()
            + "; let the webhook's user get and list apibindings.apis.kcp.io there"
        : failure.getMessage();
  }
}
