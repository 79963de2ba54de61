package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.VersionConverter;
import dev.mooring.sandbox.schema.CompiledSchema;

/**
 * Between versions that differ in their schemas alone: nothing is converted. The version of the
 * store alone says which fields are kept, and which have defaults; any other one shows those of
 * them that it knows.
 */
record NoneConversion(
    String servedApiVersion,
    String storageApiVersion,
    CompiledSchema served,
    CompiledSchema storage)
    implements VersionConverter {

  @Override
  public KubeObject toServed(KubeObject stored) {
    KubeObject complete = storage.applyDefaults(storage.prune(stored).object());
    return renamed(served.prune(complete).object(), servedApiVersion);
  }

  @Override
  public KubeObject toStorage(KubeObject written) {
    return renamed(storage.prune(written).object(), storageApiVersion);
  }

  private static KubeObject renamed(KubeObject object, String apiVersion) {
    return object.apiVersion().equals(apiVersion) ? object : object.with(apiVersion, "apiVersion");
  }
}
