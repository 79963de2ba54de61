package dev.mooring.sandbox.controller;

import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoreList;
import dev.mooring.sandbox.storage.StoreWatch;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.storage.VersionExpired;
import dev.mooring.sandbox.storage.WatchClosed;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dispatches every object of a resource to a handler, first those that are there, then every
 * change, in order, on one thread. A watch that breaks starts over with the list: the handler then
 * receives all objects again, and the deletions in between unless it follows {@link
 * ResourceKey#EVERYTHING}. An event that the handler fails on is redelivered after a moment, unless
 * a newer one of the same object comes first.
 */
public final class Informer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Informer.class);
  private static final Duration POLL = Duration.ofHours(1);
  private static final Duration RETRY = Duration.ofMillis(100);

  private final ResourceStore store;
  private final ListScope scope;
  private final Consumer<StoreEvent> handler;
  // Both are touched by the informer's own thread alone. Of everything this would be too much.
  private final Map<StorageKey, StoredObject> present = new HashMap<>();
  private final Map<StorageKey, Failed> failed = new LinkedHashMap<>();
  private final Thread thread;

  /**
   * @param attempts so far, at events of this object, without success
   */
  private record Failed(StoreEvent event, int attempts) {}

  private Informer(
      String name, ResourceStore store, ResourceKey resourceKey, Consumer<StoreEvent> handler) {
    this.store = store;
    this.scope = ListScope.everywhere(resourceKey);
    this.handler = handler;
    this.thread = Thread.ofVirtual().name(name + "-" + resourceKey).unstarted(this::run);
  }

  /**
   * @param name of the thread
   */
  public static Informer start(
      String name, ResourceStore store, ResourceKey resourceKey, Consumer<StoreEvent> handler) {
    var informer = new Informer(name, store, resourceKey, handler);
    informer.thread.start();
    return informer;
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        follow();
      } catch (VersionExpired | WatchClosed broken) {
        LOG.debug("{} is listed again: {}", scope.resourceKey(), broken.getMessage());
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void follow() throws InterruptedException {
    // The list has what still exists of these objects.
    failed.values().removeIf(one -> !(one.event() instanceof StoreEvent.Deleted));
    // Open before the list: what is written while its objects are handled then waits in a queue.
    try (StoreWatch watch = store.watch(scope, store.version())) {
      StoreList list = store.list(scope);
      var gone = new HashMap<>(present);
      for (StoredObject object : list.items()) {
        gone.remove(object.key());
        dispatch(new StoreEvent.Added(object));
      }
      gone.values().forEach(object -> dispatch(new StoreEvent.Deleted(object, object)));
      long again = System.nanoTime() + RETRY.toNanos();
      while (true) {
        watch
            .next(failed.isEmpty() ? POLL : RETRY)
            .filter(event -> event.version() > list.version())
            .ifPresent(this::dispatch);
        if (System.nanoTime() - again >= 0) {
          List.copyOf(failed.values()).forEach(one -> dispatch(one.event()));
          again = System.nanoTime() + RETRY.toNanos();
        }
      }
    }
  }

  private void dispatch(StoreEvent event) {
    StoredObject object = event.object();
    if (event instanceof StoreEvent.Deleted) {
      present.remove(object.key());
    } else if (!scope.resourceKey().equals(ResourceKey.EVERYTHING)) {
      present.put(object.key(), object);
    }
    try {
      handler.accept(event);
      Failed before = failed.remove(object.key());
      if (before != null) {
        LOG.info("the event of {} was handled at attempt {}", object.key(), before.attempts() + 1);
      }
    } catch (RuntimeException unexpected) {
      Failed before = failed.get(object.key());
      int attempts = before == null ? 1 : before.attempts() + 1;
      failed.put(object.key(), new Failed(event, attempts));
      if (Integer.bitCount(attempts) == 1) {
        LOG.warn(
            "the event of {} could not be handled, attempt {}; it is handled again in {} ms",
            object.key(),
            attempts,
            RETRY.toMillis(),
            unexpected);
      }
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
