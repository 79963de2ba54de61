package dev.mooring.runtime.queue;

/** Works on one key at a time; different keys are worked on in parallel. Blocking is fine. */
@FunctionalInterface
public interface Worker<K> {
  /**
   * What it throws means that the key is tried again, later each time. An interrupt means that the
   * queue is closing.
   */
  Next work(K key) throws Exception;
}
