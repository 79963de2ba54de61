package dev.mooring.sandbox.controller;

import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ObjectAddress;
import dev.mooring.sandbox.storage.ResourceStore;
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
 * Tells a handler of every object of a bucket, first of those that are there, then of every change,
 * in order, on one thread. A watch that breaks starts over with the list: the handler then hears of
 * all objects again, and of those that went meanwhile. An event that the handler fails on is told
 * again after a moment, however many others come, unless a newer one of the same object comes
 * first. The log says so at the first attempt, at every one whose number is a power of two, and at
 * the end.
 */
public final class BucketFeed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BucketFeed.class);
  private static final Duration POLL = Duration.ofHours(1);
  private static final Duration RETRY = Duration.ofMillis(100);

  private final ResourceStore store;
  private final ListScope scope;
  private final Consumer<StoreEvent> handler;
  // Both are touched by the feed's own thread alone.
  private final Map<ObjectAddress, StoredObject> present = new HashMap<>();
  private final Map<ObjectAddress, Failed> failed = new LinkedHashMap<>();
  private Thread thread;

  /**
   * @param attempts so far, at events of this object, without success
   */
  private record Failed(StoreEvent event, int attempts) {}

  private BucketFeed(ResourceStore store, Bucket bucket, Consumer<StoreEvent> handler) {
    this.store = store;
    this.scope = ListScope.everywhere(bucket);
    this.handler = handler;
  }

  /**
   * @param name of the thread
   */
  public static BucketFeed start(
      String name, ResourceStore store, Bucket bucket, Consumer<StoreEvent> handler) {
    var feed = new BucketFeed(store, bucket, handler);
    feed.thread = Thread.ofVirtual().name(name + "-" + bucket).start(feed::run);
    return feed;
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        follow();
      } catch (VersionExpired | WatchClosed broken) {
        LOG.debug("{} is listed again: {}", scope.bucket(), broken.getMessage());
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void follow() throws InterruptedException {
    StoreList list = store.list(scope);
    var gone = new HashMap<>(present);
    for (StoredObject object : list.items()) {
      gone.remove(object.address());
      tell(new StoreEvent.Added(object));
    }
    gone.values().forEach(object -> tell(new StoreEvent.Deleted(object, object)));
    try (StoreWatch watch = store.watch(scope, list.version())) {
      long again = System.nanoTime() + RETRY.toNanos();
      while (true) {
        watch.next(failed.isEmpty() ? POLL : RETRY).ifPresent(this::tell);
        if (System.nanoTime() - again >= 0) {
          List.copyOf(failed.values()).forEach(one -> tell(one.event()));
          again = System.nanoTime() + RETRY.toNanos();
        }
      }
    }
  }

  private void tell(StoreEvent event) {
    StoredObject object = event.object();
    if (event instanceof StoreEvent.Deleted) {
      present.remove(object.address());
    } else {
      present.put(object.address(), object);
    }
    try {
      handler.accept(event);
      Failed before = failed.remove(object.address());
      if (before != null) {
        LOG.info(
            "the event of {} was handled at attempt {}", object.address(), before.attempts() + 1);
      }
    } catch (RuntimeException unexpected) {
      Failed before = failed.get(object.address());
      int attempts = before == null ? 1 : before.attempts() + 1;
      failed.put(object.address(), new Failed(event, attempts));
      if (Integer.bitCount(attempts) == 1) {
        LOG.warn(
            "the event of {} could not be handled, attempt {}; it is handled again in {} ms",
            object.address(),
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
