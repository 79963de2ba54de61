package dev.mooring.depwebhook.index;

import java.time.Duration;

/**
 * How indexes are kept.
 *
 * @param silenceMax after which a watch that says nothing counts as lost; kcp sends a bookmark
 *     every minute
 * @param idleMax after which an index that nobody asked is closed
 * @param indexesMax open at a time
 * @param objectsMax of one index; a larger type is listed
 */
public record IndexTerms(Duration silenceMax, Duration idleMax, int indexesMax, int objectsMax) {
  /** 75 s of silence, 10 min idle, 1,000 indexes of 200,000 objects. */
  public static final IndexTerms DEFAULT =
      new IndexTerms(Duration.ofSeconds(75), Duration.ofMinutes(10), 1_000, 200_000);

  public IndexTerms {
    if (!silenceMax.isPositive() || !idleMax.isPositive() || indexesMax < 0 || objectsMax < 1) {
      throw new IllegalArgumentException("not terms of an index");
    }
  }
}
