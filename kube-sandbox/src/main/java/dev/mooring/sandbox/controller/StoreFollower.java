package dev.mooring.sandbox.controller;

import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoreWatch;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.storage.WatchClosed;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Calls a handler for every object of a store and then for every event, on one thread. Begins again
 * with all objects when it has fallen behind; the handler then misses deletions. Starts at once;
 * ends when closed.
 */
public final class StoreFollower implements AutoCloseable {
  private static final Duration POLL = Duration.ofHours(1);

  private final ResourceStore store;
  private final Consumer<StoreEvent> handler;
  private final Thread thread;

  private StoreFollower(String name, ResourceStore store, Consumer<StoreEvent> handler) {
    this.store = store;
    this.handler = handler;
    this.thread = Thread.ofVirtual().name(name + "-follow").unstarted(this::follow);
  }

  /**
   * @param name of the thread
   */
  public static StoreFollower start(
      String name, ResourceStore store, Consumer<StoreEvent> handler) {
    var follower = new StoreFollower(name, store, handler);
    follower.thread.start();
    return follower;
  }

  private void follow() {
    while (!Thread.currentThread().isInterrupted()) {
      try (StoreWatch watch = store.watchAll()) {
        store
            .resourceKeys()
            .forEach(resourceKey ->
                store.list(ListScope.everywhere(resourceKey)).items().forEach(this::added));
        while (true) {
          watch.next(POLL).ifPresent(handler);
        }
      } catch (WatchClosed fellBehind) {
        // From the top: what was missed shows in the lists.
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void added(StoredObject object) {
    handler.accept(new StoreEvent.Added(object));
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
