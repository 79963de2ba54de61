package dev.mooring.runtime.client;

import java.time.Duration;

/**
 * From where and on what to watch.
 *
 * @param objects as those that were listed; a watch has no pages
 * @param resourceVersion after which to start: that of the list
 * @param life after which the server is asked to end the watch; a second at least
 */
public record WatchQuery(ListQuery objects, String resourceVersion, Duration life) {
  /**
   * After which a watch is usually ended, so that a connection that went dead without a word is
   * noticed soon: servers end watches after 30 to 60 minutes by themselves. Going on from the last
   * version costs one request.
   */
  public static final Duration LIFE = Duration.ofMinutes(2);

  /** As servers take it, in whole seconds. */
  public long lifeSeconds() {
    return Math.max(1, life.plusMillis(999).toSeconds());
  }
}
