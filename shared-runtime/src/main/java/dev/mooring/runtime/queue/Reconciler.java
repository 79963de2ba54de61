package dev.mooring.runtime.queue;

/** Reconciles one key at a time, different keys in parallel. May block. */
@FunctionalInterface
public interface Reconciler<K> {
  /**
   * An exception requeues the key, later each time. An interrupt means that the queue is closing.
   */
  ReconcileResult reconcile(K key) throws Exception;
}
