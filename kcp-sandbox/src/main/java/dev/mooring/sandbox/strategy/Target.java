package dev.mooring.sandbox.strategy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.ResourceDefinition;
import dev.mooring.sandbox.api.ResourceStrategy;
import dev.mooring.sandbox.api.Subresource;
import dev.mooring.sandbox.api.WriteContext;
import dev.mooring.sandbox.storage.ObjectAddress;
import java.util.Objects;

/**
 * What a write is aimed at: a resource, or a part of its objects.
 *
 * @param subresource empty for the whole object
 * @param strategy of the whole object or of the part
 */
public record Target(ResourceDefinition definition, String subresource, ResourceStrategy strategy) {
  public Target {
    Objects.requireNonNull(definition, "definition");
    Objects.requireNonNull(subresource, "subresource");
    Objects.requireNonNull(strategy, "strategy");
  }

  public static Target of(ResourceDefinition definition) {
    return new Target(definition, "", definition.strategy());
  }

  public static Target of(
      ResourceDefinition definition, String subresource, Subresource.Part part) {
    return new Target(definition, subresource, part.strategy());
  }

  ObjectAddress address(WriteContext context, String name) {
    return address(context.cluster(), context.namespace(), name);
  }

  ObjectAddress address(LogicalCluster cluster, String namespace, String name) {
    return new ObjectAddress(
        definition.bucket(), cluster, definition.namespaced() ? namespace : "", name);
  }

  boolean whole() {
    return subresource.isEmpty();
  }
}
