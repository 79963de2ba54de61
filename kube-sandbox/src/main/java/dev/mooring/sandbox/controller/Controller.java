package dev.mooring.sandbox.controller;

import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreConflict;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link Reconciler} for the keys that its {@link EventSource}s name and for those that are
 * {@linkplain #enqueue enqueued}, on virtual threads. A write that lost a race is tried again at
 * once, any other failure after a pause that doubles. Starts at once; ends when closed.
 */
public final class Controller<K> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
  private static final int WORKERS = 8;
  private static final Duration BACKOFF_MIN = Duration.ofMillis(5);
  private static final Duration BACKOFF_MAX = Duration.ofSeconds(5);

  /**
   * Transient failures below this count are expected: what is read next is not written yet. The log
   * reports this count, and again each time it has doubled.
   */
  private static final int EXPECTED_FAILURES_MAX = 8;

  private final String name;
  private final Reconciler<K> reconciler;
  private final Map<K, State> states = new ConcurrentHashMap<>();
  private final Map<K, Integer> failures = new ConcurrentHashMap<>();
  private final List<Informer> informers = new ArrayList<>();
  private final ScheduledThreadPoolExecutor workers;

  /** Of a key that is to be reconciled: no two workers ever have the same one. */
  private enum State {
    WAITING,
    RUNNING,
    /** Enqueued while a worker has it. */
    RUNNING_TO_BE_REPEATED
  }

  private Controller(String name, Reconciler<K> reconciler) {
    this.name = name;
    this.reconciler = reconciler;
    // Once closed it drops what comes, for workers may still be at their last key.
    this.workers =
        new ScheduledThreadPoolExecutor(
            WORKERS,
            Thread.ofVirtual().name(name + "-work-", 0).factory(),
            new ThreadPoolExecutor.DiscardPolicy());
  }

  /** One that works on what is enqueued. */
  public static <K> Controller<K> start(String name, Reconciler<K> reconciler) {
    return new Controller<>(name, reconciler);
  }

  /**
   * @param name for logs and thread names
   */
  public static <K> Controller<K> start(
      String name, ResourceStore store, List<EventSource<K>> sources, Reconciler<K> reconciler) {
    Controller<K> controller = start(name, reconciler);
    for (EventSource<K> source : sources) {
      controller.informers.add(
          Informer.start(
              name, store, source.resourceKey(), event -> controller.enqueue(source, event)));
    }
    return controller;
  }

  /** Asks for a look at a key, as a change would. */
  public void enqueue(K key) {
    states.compute(
        key,
        (_, state) ->
            switch (state) {
              case null -> {
                workers.execute(() -> work(key));
                yield State.WAITING;
              }
              case WAITING -> State.WAITING;
              case RUNNING, RUNNING_TO_BE_REPEATED -> State.RUNNING_TO_BE_REPEATED;
            });
  }

  /** Asks for a look at a key after a while. */
  public void enqueueAfter(K key, Duration wait) {
    workers.schedule(() -> enqueue(key), wait.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void enqueue(EventSource<K> source, StoreEvent event) {
    enqueue(source, event.object());
    if (event instanceof StoreEvent.Modified(_, StoredObject previous)) {
      enqueue(source, previous);
    }
  }

  private void enqueue(EventSource<K> source, StoredObject object) {
    source.keys().apply(object).forEach(this::enqueue);
  }

  private void work(K key) {
    states.put(key, State.RUNNING);
    try {
      reconcile(key);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    } finally {
      if (states.remove(key) == State.RUNNING_TO_BE_REPEATED) {
        enqueue(key);
      }
    }
  }

  private void reconcile(K key) throws InterruptedException {
    try {
      Next next = reconciler.reconcile(key);
      failures.remove(key);
      switch (next) {
        case Next.OnEvent() -> {}
        case Next.After(Duration delay) -> enqueueAfter(key, delay);
      }
    } catch (StoreConflict raced) {
      // Another writer was first. Its event is pending; requeue without waiting for it.
      enqueue(key);
    } catch (RuntimeException | LinkageError | StackOverflowError failure) {
      // The worker has to survive every failure: nothing else would reconcile its key.
      retry(key, failure);
    }
  }

  private void retry(K key, Throwable failure) {
    int count = failures.merge(key, 1, Integer::sum);
    Duration wait = BACKOFF_MIN.multipliedBy(1L << Math.min(count, 20));
    if (wait.compareTo(BACKOFF_MAX) > 0) {
      wait = BACKOFF_MAX;
    }
    if (count >= EXPECTED_FAILURES_MAX && Integer.bitCount(count) == 1) {
      LOG.warn("{} cannot reconcile {}, attempt {}", name, key, count, failure);
    } else {
      LOG.debug("{} cannot reconcile {}, attempt {}", name, key, count, failure);
    }
    enqueueAfter(key, wait);
  }

  @Override
  public void close() {
    informers.forEach(Informer::close);
    workers.shutdownNow();
  }
}
