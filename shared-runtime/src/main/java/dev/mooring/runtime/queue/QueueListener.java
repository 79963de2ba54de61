package dev.mooring.runtime.queue;

import dev.mooring.runtime.log.LogFields;
import java.time.Duration;

/** Receives how work on a key ended, on the worker's thread; must be quick and must not throw. */
public interface QueueListener<K> {
  /** What work on a key is about: the fields of its log lines, also of those of this listener. */
  default LogFields about(K key) {
    return LogFields.NONE;
  }

  /** Without a failure. */
  void succeeded(K key, Duration took);

  /**
   * @param failures in a row of this key, this one included
   * @param retryAfter the delay after which it is tried again
   */
  void failed(K key, Exception cause, int failures, Duration retryAfter);

  /** For those who need not know. */
  static <K> QueueListener<K> none() {
    return new QueueListener<>() {
      @Override
      public void succeeded(K key, Duration took) {}

      @Override
      public void failed(K key, Exception cause, int failures, Duration retryAfter) {}
    };
  }
}
