package dev.mooring.sandbox.controller;

import dev.mooring.sandbox.storage.StoreConflict;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Level-based work on keys: a key that is offered while it waits is worked on once, a key that is
 * offered while it is worked on is worked on again afterwards, and never twice at a time. A write
 * that lost a race is tried again at once, any other failure after a pause that doubles. As many
 * keys wait as there are objects, each once: that is the bound.
 */
public final class KeyedQueue<K> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KeyedQueue.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** Work on one key; answers when to look again though nothing changed. */
  public interface Worker<K> {
    Optional<Duration> work(K key) throws InterruptedException;
  }

  private final String name;
  private final Worker<K> worker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<K> ready = new ArrayDeque<>();
  private final Set<K> waiting = new HashSet<>();
  private final Set<K> working = new HashSet<>();
  private final Map<K, Duration> pauses = new HashMap<>();
  private final ScheduledExecutorService timer;
  private boolean closed;

  public KeyedQueue(String name, int workers, ScheduledExecutorService timer, Worker<K> worker) {
    this.name = name;
    this.worker = worker;
    this.timer = timer;
    for (int i = 0; i < workers; i++) {
      Thread.ofVirtual().name(name + "-" + i).start(this::run);
    }
  }

  public static ScheduledExecutorService timer(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name(name).factory());
  }

  public void offer(K key) {
    lock.lock();
    try {
      if (!closed && waiting.add(key) && !working.contains(key)) {
        ready.add(key);
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private void offerLater(K key, Duration delay) {
    lock.lock();
    try {
      if (!closed) {
        timer.schedule(() -> offer(key), delay.toMillis(), TimeUnit.MILLISECONDS);
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      for (Optional<K> key = take(); key.isPresent(); key = take()) {
        work(key.get());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<K> take() throws InterruptedException {
    lock.lock();
    try {
      while (ready.isEmpty() && !closed) {
        changed.await();
      }
      if (closed) {
        return Optional.empty();
      }
      K key = ready.remove();
      waiting.remove(key);
      working.add(key);
      return Optional.of(key);
    } finally {
      lock.unlock();
    }
  }

  private void work(K key) throws InterruptedException {
    Optional<Duration> again;
    try {
      again = worker.work(key);
      forgive(key);
    } catch (StoreConflict raced) {
      again = Optional.of(Duration.ZERO);
    } catch (RuntimeException failed) {
      Duration pause = punish(key);
      LOG.debug("{} {} will be tried again in {}", name, key, pause, failed);
      again = Optional.of(pause);
    }
    done(key);
    again.ifPresent(delay -> {
      if (delay.isZero()) {
        offer(key);
      } else {
        offerLater(key, delay);
      }
    });
  }

  private void done(K key) {
    lock.lock();
    try {
      working.remove(key);
      if (waiting.contains(key) && !closed) {
        ready.add(key);
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private void forgive(K key) {
    lock.lock();
    try {
      pauses.remove(key);
    } finally {
      lock.unlock();
    }
  }

  private Duration punish(K key) {
    lock.lock();
    try {
      Duration pause = pauses.getOrDefault(key, FIRST_PAUSE);
      Duration next = pause.multipliedBy(2);
      pauses.put(key, next.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : next);
      return pause;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
