package dev.mooring.runtime.queue;

import dev.mooring.runtime.log.LogFields;
import java.time.Duration;
import java.util.function.Function;

/** Knows what keys are about, and receives how work on them ended; quick, and never throws. */
public interface QueueListener<K> {
  /** What work on a key is about: the fields of its log lines, also of those of this listener. */
  default LogFields about(K key) {
    return LogFields.NONE;
  }

  /** Whose key it is: tenants take turns, whose keys are worked on in the order of their adding. */
  default Object tenant(K key) {
    return "";
  }

  /** Without a failure; on the worker's thread. */
  void succeeded(K key, Duration took);

  /**
   * @param failures in a row of this key, this one included
   * @param retryAfter the delay after which it is tried again
   */
  void failed(K key, Exception cause, int failures, Duration retryAfter);

  /** For those who need not know how work ended. */
  static <K> QueueListener<K> ofTenants(Function<K, Object> tenants) {
    return new QueueListener<>() {
      @Override
      public Object tenant(K key) {
        return tenants.apply(key);
      }

      @Override
      public void succeeded(K key, Duration took) {}

      @Override
      public void failed(K key, Exception cause, int failures, Duration retryAfter) {}
    };
  }
}
