package dev.mooring.sandbox.admission;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Optional;

/**
 * A write that was let through.
 *
 * @param object as mutated; absent for a delete
 * @param warnings for the client
 */
public record AdmissionResult(Optional<KubeObject> object, List<String> warnings) {
  public AdmissionResult {
    warnings = List.copyOf(warnings);
  }
}
