package dev.mooring.sandbox.kcp.api;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import java.util.List;

/** Compiles CustomResourceDefinitions to served resources. Thread-safe. */
@FunctionalInterface
public interface CustomResourceFactory {
  /**
   * One definition for each served version.
   *
   * @param crd shaped as an {@code apiextensions.k8s.io/v1} CustomResourceDefinition
   * @param identity of the resource key; empty for a local resource
   * @throws IllegalArgumentException for a schema that cannot be served
   */
  List<ResourceDefinition> define(KubeObject crd, String identity);
}
