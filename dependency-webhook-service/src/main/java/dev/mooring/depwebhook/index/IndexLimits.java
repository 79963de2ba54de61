package dev.mooring.depwebhook.index;

import dev.mooring.model.dependency.WebhookContract;
import java.time.Duration;

/**
 * Bounds of the indexes.
 *
 * @param maxStaleness since an index was last known to be complete; a staler one does not answer
 * @param idleMax since its last question, after which an index is closed
 * @param indexesMax open at a time
 * @param objectsMax of one index; a larger type is listed instead
 * @param totalMax of all indexes together; types beyond it are listed instead. Both count objects
 *     of usual size; larger ones count several times
 */
public record IndexLimits(
    Duration maxStaleness, Duration idleMax, int indexesMax, int objectsMax, int totalMax) {
  /** 75 s of staleness, 10 min idle, 1,000 indexes of 25,000 objects, 50,000 in all. */
  public static final IndexLimits DEFAULT =
      new IndexLimits(WebhookContract.STALENESS_MAX, Duration.ofMinutes(10), 1_000, 25_000, 50_000);

  public IndexLimits {
    if (!maxStaleness.isPositive()
        || !idleMax.isPositive()
        || indexesMax < 0
        || objectsMax < 1
        || totalMax < 1) {
      throw new IllegalArgumentException("index limits must be positive");
    }
  }
}
