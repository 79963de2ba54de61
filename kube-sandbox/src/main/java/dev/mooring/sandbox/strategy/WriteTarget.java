package dev.mooring.sandbox.strategy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.fields.ManagedFields;
import dev.mooring.sandbox.storage.StorageKey;
import java.util.List;

/**
 * What a write is aimed at: a resource, or a part of its objects.
 *
 * @param subresource empty for the whole object
 * @param strategy of the whole object or of the part
 */
public record WriteTarget(
    ResourceDefinition definition, String subresource, ResourceStrategy strategy) {

  private static final String STATUS = "status";

  public static WriteTarget of(ResourceDefinition definition) {
    return new WriteTarget(definition, "", definition.strategy());
  }

  public static WriteTarget of(
      ResourceDefinition definition, String subresource, Subresource.Part part) {
    return new WriteTarget(definition, subresource, part.strategy());
  }

  StorageKey key(WriteContext context, String name) {
    return key(context.cluster(), context.namespace(), name);
  }

  StorageKey key(LogicalCluster cluster, String namespace, String name) {
    return new StorageKey(
        definition.resourceKey(), cluster, definition.namespaced() ? namespace : "", name);
  }

  ManagedFields.Writer writer(WriteContext context, String now) {
    boolean custom = definition.origin() == ResourceDefinition.Origin.CUSTOM;
    List<String> reset =
        switch (subresource) {
          case "" -> definition.subresources().containsKey(STATUS) ? List.of(STATUS) : List.of();
          case STATUS -> custom ? List.of("metadata", "spec") : List.of("spec");
          default -> List.of();
        };
    return new ManagedFields.Writer(
        context.fieldManager(), definition.type().apiVersion(), subresource, now, reset);
  }

  boolean whole() {
    return subresource.isEmpty();
  }
}
