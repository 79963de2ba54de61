package dev.mooring.depwebhook.index;

import java.time.Duration;

/**
 * How indexes are kept.
 *
 * @param silenceMax after which an index is not believed of which it did not become certain again
 *     that nothing is missing
 * @param idleMax after which an index that nobody asked is closed
 * @param indexesMax open at a time
 * @param objectsMax of one index; a larger type is listed
 * @param totalMax of all indexes together; types that find no room are listed. Both count objects
 *     of usual size; larger ones count several times
 */
public record IndexLimits(
    Duration silenceMax, Duration idleMax, int indexesMax, int objectsMax, int totalMax) {
  /** 75 s of silence, 10 min idle, 1,000 indexes of 25,000 objects, 50,000 in all. */
  public static final IndexLimits DEFAULT =
      new IndexLimits(Duration.ofSeconds(75), Duration.ofMinutes(10), 1_000, 25_000, 50_000);

  public IndexLimits {
    if (!silenceMax.isPositive()
        || !idleMax.isPositive()
        || indexesMax < 0
        || objectsMax < 1
        || totalMax < 1) {
      throw new IllegalArgumentException("not terms of an index");
    }
  }
}
