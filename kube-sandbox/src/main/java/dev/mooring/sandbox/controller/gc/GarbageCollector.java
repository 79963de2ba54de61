package dev.mooring.sandbox.controller.gc;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.Informer;
import dev.mooring.sandbox.controller.PipelineClient;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.InstantSource;
import java.util.Set;

/**
 * Deletes what has lost its owners, as Kubernetes' garbage collector does: in the background, in
 * the foreground, or not at all. Follows all writes to keep the graph of owners; {@link
 * GarbageProcessor} says what to do about one object.
 */
public final class GarbageCollector implements AutoCloseable {
  private final OwnershipGraph graph = new OwnershipGraph();
  private final Controller<StorageKey> controller;
  private final Informer informer;

  private GarbageCollector(PipelineClient objects, InstantSource clock) {
    this.controller =
        Controller.start(
            "garbage-collector",
            new GarbageProcessor(objects, graph, new InvalidOwners(objects, clock)));
    this.informer =
        Informer.start("garbage-collector", objects.store(), ResourceKey.EVERYTHING, this::saw);
  }

  public static GarbageCollector start(PipelineClient objects, InstantSource clock) {
    return new GarbageCollector(objects, clock);
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
    informer.close();
    controller.close();
  }
}
