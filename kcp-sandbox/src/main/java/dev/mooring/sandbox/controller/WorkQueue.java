package dev.mooring.sandbox.controller;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keys to reconcile: each at most once in the queue, and never at two workers. A key that is added
 * while a worker has it comes back when the worker is done. Bounded by the number of different
 * keys. Thread-safe.
 */
final class WorkQueue<K> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ready = lock.newCondition();
  private final ArrayDeque<K> waiting = new ArrayDeque<>();
  private final Set<K> queued = new HashSet<>();
  private final Set<K> working = new HashSet<>();
  private final Set<K> again = new LinkedHashSet<>();

  void add(K key) {
    lock.lock();
    try {
      if (working.contains(key)) {
        again.add(key);
      } else if (queued.add(key)) {
        waiting.addLast(key);
        ready.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a key; it belongs to the caller until {@link #done}. */
  K take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting.isEmpty()) {
        ready.await();
      }
      K key = waiting.removeFirst();
      queued.remove(key);
      working.add(key);
      return key;
    } finally {
      lock.unlock();
    }
  }

  void done(K key) {
    lock.lock();
    try {
      working.remove(key);
      if (again.remove(key) && queued.add(key)) {
        waiting.addLast(key);
        ready.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return waiting.size() + working.size();
    } finally {
      lock.unlock();
    }
  }
}
