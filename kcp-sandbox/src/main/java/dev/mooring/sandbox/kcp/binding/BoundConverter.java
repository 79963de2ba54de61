package dev.mooring.sandbox.kcp.binding;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.VersionConverter;
import java.util.function.Supplier;

/**
 * Converts stored objects to one schema of a bound type. While only this schema writes, objects are
 * returned as stored. Once a binding has moved to another schema, unknown fields are pruned and
 * defaults applied, also for watches that began before. Thread-safe.
 */
final class BoundConverter implements VersionConverter {
  private final Supplier<VersionConverter> pruning;
  private volatile VersionConverter reading = VersionConverter.Identity.SAME;

  /**
   * @param pruning called at most once, because it compiles the schema
   */
  BoundConverter(Supplier<VersionConverter> pruning) {
    this.pruning = pruning;
  }

  /** Called when another schema starts to write objects of the type. */
  void startPruning() {
    if (reading == VersionConverter.Identity.SAME) {
      reading = pruning.get();
    }
  }

  @Override
  public boolean servesStored() {
    return reading == VersionConverter.Identity.SAME;
  }

  @Override
  public KubeObject toServed(KubeObject stored) {
    return reading.toServed(stored);
  }

  @Override
  public KubeObject toStorage(KubeObject served) {
    return reading.toStorage(served);
  }
}
