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
 * again after a moment, unless a newer one of the same object comes first.
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
  private final Map<ObjectAddress, StoreEvent> failed = new LinkedHashMap<>();
  private Thread thread;

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
      while (true) {
        watch.next(failed.isEmpty() ? POLL : RETRY).ifPresentOrElse(this::tell, this::tellAgain);
      }
    }
  }

  private void tellAgain() {
    List.copyOf(failed.values()).forEach(this::tell);
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
      failed.remove(object.address());
    } catch (RuntimeException unexpected) {
      if (failed.put(object.address(), event) == null) {
        LOG.warn("an event of {} will be handled again", object.address(), unexpected);
      }
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
