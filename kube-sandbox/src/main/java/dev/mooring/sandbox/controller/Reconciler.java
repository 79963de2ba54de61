package dev.mooring.sandbox.controller;

import java.time.Duration;

/**
 * Brings the object of a key closer to its desired state. Level-based: reads the store as it is
 * now, independent of earlier events. Called for one key by one thread at a time, for different
 * keys at once. An exception means: again, later.
 *
 * @param <K> with equality; such as {@code ObjectKey}
 */
@FunctionalInterface
public interface Reconciler<K> {
  /** When to reconcile again, if no event comes before. */
  sealed interface Next {
    /** Only when something changes. */
    record OnEvent() implements Next {}

    /** Also if nothing changes. */
    record After(Duration delay) implements Next {}
  }

  Next reconcile(K key) throws InterruptedException;
}
