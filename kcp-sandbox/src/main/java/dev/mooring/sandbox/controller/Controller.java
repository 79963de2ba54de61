package dev.mooring.sandbox.controller;

import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreConflict;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoreList;
import dev.mooring.sandbox.storage.StoreWatch;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.storage.VersionExpired;
import dev.mooring.sandbox.storage.WatchClosed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link Reconciler} for the keys that its {@link Trigger}s name, on virtual threads: one
 * that follows the store for each trigger, and some that work. Starts at once; ends when closed.
 */
public final class Controller<K> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
  private static final int WORKERS = 8;
  private static final Duration BACKOFF_MIN = Duration.ofMillis(5);
  private static final Duration BACKOFF_MAX = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofHours(1);

  private final String name;
  private final ResourceStore store;
  private final Reconciler<K> reconciler;
  private final KeyQueue<K> queue = new KeyQueue<>();
  private final Map<K, Integer> failures = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ScheduledExecutorService later;

  private Controller(String name, ResourceStore store, Reconciler<K> reconciler) {
    this.name = name;
    this.store = store;
    this.reconciler = reconciler;
    this.later =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(name + "-later").factory());
  }

  /**
   * @param name for logs and thread names
   */
  public static <K> Controller<K> start(
      String name, ResourceStore store, List<Trigger<K>> triggers, Reconciler<K> reconciler) {
    var controller = new Controller<>(name, store, reconciler);
    for (Trigger<K> trigger : triggers) {
      controller.run("follow-" + trigger.bucket(), () -> controller.follow(trigger));
    }
    for (int i = 0; i < WORKERS; i++) {
      controller.run("work-" + i, controller::work);
    }
    return controller;
  }

  /** Asks for a look at a key, as a change would. */
  public void enqueue(K key) {
    queue.add(key);
  }

  /** Asks for a look at a key after a while. */
  public void enqueueAfter(K key, Duration wait) {
    if (!later.isShutdown()) {
      later.schedule(() -> queue.add(key), wait.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private interface Task {
    void run() throws InterruptedException;
  }

  private void run(String task, Task body) {
    Runnable endless =
        () -> {
          try {
            body.run();
          } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
          }
        };
    threads.add(Thread.ofVirtual().name(name + "-" + task).start(endless));
  }

  private void follow(Trigger<K> trigger) throws InterruptedException {
    ListScope scope = ListScope.everywhere(trigger.bucket());
    while (!Thread.currentThread().isInterrupted()) {
      StoreList now = store.list(scope);
      now.items().forEach(object -> concern(trigger, object));
      try (StoreWatch watch = store.watch(scope, now.version())) {
        while (true) {
          watch.next(POLL).ifPresent(event -> concern(trigger, event));
        }
      } catch (WatchClosed | VersionExpired fellBehind) {
        LOG.debug("{} lists {} again: {}", name, trigger.bucket(), fellBehind.getMessage());
      }
    }
  }

  private void concern(Trigger<K> trigger, StoreEvent event) {
    concern(trigger, event.object());
    if (event instanceof StoreEvent.Modified(_, StoredObject previous)) {
      concern(trigger, previous);
    }
  }

  private void concern(Trigger<K> trigger, StoredObject object) {
    trigger.concerned().apply(object).forEach(queue::add);
  }

  private void work() throws InterruptedException {
    while (true) {
      K key = queue.take();
      try {
        Next next = reconciler.reconcile(key);
        failures.remove(key);
        switch (next) {
          case Next.OnEvent() -> {}
          case Next.After(Duration delay) -> enqueueAfter(key, delay);
        }
      } catch (StoreConflict raced) {
        // Somebody else wrote; their write is on its way as an event, and we look again anyway.
        enqueueAfter(key, BACKOFF_MIN);
      } catch (RuntimeException e) {
        retry(key, e);
      } finally {
        queue.done(key);
      }
    }
  }

  private void retry(K key, RuntimeException failure) {
    int count = failures.merge(key, 1, Integer::sum);
    Duration wait = BACKOFF_MIN.multipliedBy(1L << Math.min(count, 20));
    if (wait.compareTo(BACKOFF_MAX) > 0) {
      wait = BACKOFF_MAX;
    }
    if (count >= 5) {
      LOG.warn("{} cannot reconcile {}, attempt {}", name, key, count, failure);
    }
    enqueueAfter(key, wait);
  }

  @Override
  public void close() {
    later.shutdownNow();
    threads.forEach(Thread::interrupt);
  }
}
