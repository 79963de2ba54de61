package dev.mooring.sandbox.api.registry;

import dev.mooring.model.object.KubeObject;

/** Between versions that differ in {@code apiVersion} alone. */
public record RenamingConverter(String servedApiVersion, String storageApiVersion)
    implements VersionConverter {
  @Override
  public KubeObject toServed(KubeObject stored) {
    return stored.with(servedApiVersion, "apiVersion");
  }

  @Override
  public KubeObject toStorage(KubeObject served) {
    return served.with(storageApiVersion, "apiVersion");
  }
}
