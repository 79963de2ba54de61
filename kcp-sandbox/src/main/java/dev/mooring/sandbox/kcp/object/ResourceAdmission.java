package dev.mooring.sandbox.kcp.object;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.status.ApiFailure;

/** What kcp does to writes of one of its own types. Both steps refuse with {@link ApiFailure}. */
public interface ResourceAdmission {
  /** The object to write instead; called for creates and updates of whole objects only. */
  default KubeObject mutated(AdmissionRequest request, KubeObject object) {
    return object;
  }

  /** Called once the object is known to be valid, and for deletions. */
  default void check(AdmissionRequest request) {}

  /** As {@link #check}, for updates of the status. */
  default void checkStatus(AdmissionRequest request) {}
}
