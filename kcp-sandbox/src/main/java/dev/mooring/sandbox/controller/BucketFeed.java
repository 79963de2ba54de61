package dev.mooring.sandbox.controller;

import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoreList;
import dev.mooring.sandbox.storage.StoreWatch;
import dev.mooring.sandbox.storage.VersionExpired;
import dev.mooring.sandbox.storage.WatchClosed;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a handler of every object of a bucket, first of those that are there, then of every change,
 * in order, on one thread. A watch that breaks starts over with the list, so that a handler may see
 * an object again, but may miss that one is gone: handlers that must not miss it read the store.
 */
public final class BucketFeed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BucketFeed.class);

  /** How long a closed feed may take to notice. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ResourceStore store;
  private final ListScope scope;
  private final Consumer<StoreEvent> handler;
  private volatile boolean closed;

  private BucketFeed(ResourceStore store, Bucket bucket, Consumer<StoreEvent> handler) {
    this.store = store;
    this.scope = ListScope.everywhere(bucket);
    this.handler = handler;
  }

  public static BucketFeed start(ResourceStore store, Bucket bucket, Consumer<StoreEvent> handler) {
    var feed = new BucketFeed(store, bucket, handler);
    Thread.ofVirtual().name("feed-" + bucket).start(feed::run);
    return feed;
  }

  private void run() {
    while (!closed) {
      try {
        follow();
      } catch (VersionExpired | WatchClosed broken) {
        LOG.debug("{} is listed again: {}", scope.bucket(), broken.getMessage());
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void follow() throws InterruptedException {
    StoreList list = store.list(scope);
    list.items().forEach(object -> handle(new StoreEvent.Added(object)));
    try (StoreWatch watch = store.watch(scope, list.version())) {
      while (!closed) {
        watch.next(PATIENCE).ifPresent(this::handle);
      }
    }
  }

  private void handle(StoreEvent event) {
    try {
      handler.accept(event);
    } catch (RuntimeException unexpected) {
      // One object that cannot be handled must not stop the others.
      LOG.error("an event of {} could not be handled", event.object().address(), unexpected);
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
