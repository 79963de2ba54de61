package dev.mooring.sandbox.controller.gc;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoreWatch;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.storage.WatchClosed;
import dev.mooring.sandbox.strategy.WritePipeline;
import java.time.Duration;
import java.util.Set;

/**
 * Deletes what has lost its owners, as Kubernetes' garbage collector does: in the background, in
 * the foreground, or not at all. Follows all writes to keep the graph of owners; {@link
 * GarbageProcessor} says what to do about one object.
 */
public final class GarbageCollector implements AutoCloseable {
  private static final Duration POLL = Duration.ofHours(1);

  private final ResourceStore store;
  private final OwnershipGraph graph = new OwnershipGraph();
  private final Controller<StorageKey> controller;
  private final Thread follower;

  private GarbageCollector(ResourceStore store, ResourceCatalog catalog, WritePipeline pipeline) {
    this.store = store;
    this.controller =
        Controller.start(
            "garbage-collector", new GarbageProcessor(store, catalog, pipeline, graph));
    this.follower = Thread.ofVirtual().name("garbage-collector-follow").unstarted(this::follow);
  }

  public static GarbageCollector start(
      ResourceStore store, ResourceCatalog catalog, WritePipeline pipeline) {
    var collector = new GarbageCollector(store, catalog, pipeline);
    collector.follower.start();
    return collector;
  }

  private void follow() {
    while (!Thread.currentThread().isInterrupted()) {
      try (StoreWatch watch = store.watchAll()) {
        store
            .resourceKeys()
            .forEach(resourceKey ->
                store.list(ListScope.everywhere(resourceKey)).items().forEach(this::saw));
        while (true) {
          watch.next(POLL).ifPresent(this::saw);
        }
      } catch (WatchClosed fellBehind) {
        // From the top: what was missed shows in the lists.
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void saw(StoreEvent event) {
    switch (event) {
      case StoreEvent.Added(StoredObject object) -> saw(object);
      case StoreEvent.Modified(StoredObject object, _) -> saw(object);
      case StoreEvent.Deleted(StoredObject object, _) -> {
        StorageKey key = object.key();
        KubeObject last = object.object();
        graph.remove(key, last);
        graph.dependentsOf(key.cluster(), last.uid()).forEach(controller::enqueue);
        OwnerReference.of(last).forEach(owner -> wakeOwner(key, owner.uid()));
      }
    }
  }

  private void saw(StoredObject stored) {
    KubeObject object = stored.withMetadata();
    Set<String> ownersBefore = graph.put(stored.key(), object);
    ownersBefore.forEach(uid -> wakeOwner(stored.key(), uid));
    boolean owned = !object.list("metadata", "ownerReferences").isEmpty();
    if (owned || object.deleting()) {
      controller.enqueue(stored.key());
    }
  }

  private void wakeOwner(StorageKey dependent, String uid) {
    graph.waitingOwner(dependent.cluster(), uid).ifPresent(controller::enqueue);
  }

  @Override
  public void close() {
    follower.interrupt();
    controller.close();
  }
}
