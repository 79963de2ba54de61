package dev.mooring.sandbox.admission;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.function.Consumer;

/**
 * One step of admission. Mutates writes, validates them, or both; refuses a write with {@link
 * ApiFailure}. May block for as long as a webhook's timeout; no lock is held meanwhile.
 * Thread-safe.
 */
public interface AdmissionPlugin {
  /** As Kubernetes or kcp names the plugin, where one of them has it. */
  String name();

  /**
   * Called for creates and updates, before validation; twice if a webhook or policy asks for it.
   */
  interface Mutating extends AdmissionPlugin {
    /**
     * The object that goes on to the next plugin.
     *
     * @param reinvocation says which steps run, if the plugin has any that can run twice; other
     *     plugins run twice as a whole
     */
    KubeObject mutate(
        AdmissionRequest request, Reinvocation reinvocation, Consumer<String> warnings);
  }

  /** Called for every write, after the object was validated. */
  interface Validating extends AdmissionPlugin {
    void validate(AdmissionRequest request, Consumer<String> warnings);
  }
}
