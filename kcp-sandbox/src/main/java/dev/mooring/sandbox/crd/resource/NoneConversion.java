package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.VersionConverter;
import dev.mooring.sandbox.schema.CompiledSchema;

/**
 * Between versions that differ in their schemas alone: nothing is converted, but what is read is
 * pruned and defaulted as the version that reads it says. What it cannot say stays in the store.
 */
record NoneConversion(String servedApiVersion, String storageApiVersion, CompiledSchema schema)
    implements VersionConverter {

  @Override
  public KubeObject toServed(KubeObject stored) {
    return renamed(schema.applyDefaults(schema.prune(stored).object()), servedApiVersion);
  }

  @Override
  public KubeObject toStorage(KubeObject served) {
    return renamed(served, storageApiVersion);
  }

  private static KubeObject renamed(KubeObject object, String apiVersion) {
    return object.apiVersion().equals(apiVersion) ? object : object.with(apiVersion, "apiVersion");
  }
}
