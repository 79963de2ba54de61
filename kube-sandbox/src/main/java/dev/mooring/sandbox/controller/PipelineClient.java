package dev.mooring.sandbox.controller;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.strategy.Change;
import dev.mooring.sandbox.strategy.WritePipeline;
import dev.mooring.sandbox.strategy.WriteTarget;
import java.util.function.UnaryOperator;

/**
 * Writes of the server's own controllers through the write pipeline, by the rules of all users.
 * What is not served throws {@link java.util.NoSuchElementException}. Thread-safe.
 */
public record PipelineClient(ResourceStore store, ResourceCatalog catalog, WritePipeline pipeline) {
  public ResourceDefinition definition(ResourceType type, LogicalCluster cluster) {
    return catalog.find(cluster, type).orElseThrow();
  }

  /**
   * Creates the object unless one of its name is there, or its namespace is gone.
   *
   * @param object kind and version are added
   */
  public void ensure(ResourceType type, WriteContext context, KubeObject object) {
    ResourceDefinition definition = definition(type, context.cluster());
    var key =
        new StorageKey(
            definition.resourceKey(), context.cluster(), context.namespace(), object.name());
    if (store.get(key).isPresent()) {
      return;
    }
    try {
      pipeline.create(
          definition,
          context,
          object.with(definition.kind(), "kind").with(type.apiVersion(), "apiVersion"));
    } catch (ApiFailure failure) {
      if (failure.code() != 404 && !failure.reason().equals("AlreadyExists")) {
        throw failure;
      }
    }
  }

  /** Changes the object; does nothing if it is gone. */
  public void change(
      ResourceType type, WriteContext context, String name, UnaryOperator<KubeObject> change) {
    change(
        WriteTarget.of(definition(type, context.cluster())),
        context,
        name,
        new Change.Patch(change));
  }

  /** As {@link #change(ResourceType, WriteContext, String, UnaryOperator)}, of any part. */
  public void change(WriteTarget target, WriteContext context, String name, Change change) {
    try {
      pipeline.change(target, context, name, change);
    } catch (ApiFailure failure) {
      if (failure.code() != 404) {
        throw failure;
      }
    }
  }
}
