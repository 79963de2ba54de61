package dev.mooring.runtime.client;

import dev.mooring.model.object.KubeObject;
import org.jspecify.annotations.Nullable;

/**
 * Takes a watch's events, one at a time, in the server's order. Must not block for long: it holds
 * up the stream.
 */
public interface WatchSink {
  void event(WatchEventType type, KubeObject object);

  /**
   * The stream ended: {@code cause} is null if the server closed it in the ordinary way. Called
   * exactly once.
   */
  void closed(@Nullable KubeFailure cause);

  /** What happened to an object; {@code BOOKMARK} carries nothing but a resource version. */
  enum WatchEventType {
    ADDED,
    MODIFIED,
    DELETED,
    BOOKMARK
  }
}
