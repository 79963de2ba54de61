package dev.mooring.sandbox.kcp.binding;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.VersionConverter;
import java.util.function.Supplier;

/**
 * Reads what is stored as one schema of a bound type has it. While only that schema writes there,
 * this is what is stored. Once a binding has moved, a watch that began before goes on with this one
 * and shows no field that it does not know; what was stored before is shown with the defaults of
 * the schema that came, at the same version. Thread-safe.
 */
final class BoundConverter implements VersionConverter {
  private final Supplier<VersionConverter> pruning;
  private volatile VersionConverter reading = VersionConverter.SAME;

  /**
   * @param pruning asked once at most, as it costs a walk through the schema
   */
  BoundConverter(Supplier<VersionConverter> pruning) {
    this.pruning = pruning;
  }

  /** Another schema has written there, or will. */
  void othersWrite() {
    if (reading == VersionConverter.SAME) {
      reading = pruning.get();
    }
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
