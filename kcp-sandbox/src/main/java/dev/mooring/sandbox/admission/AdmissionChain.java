package dev.mooring.sandbox.admission;

import dev.mooring.sandbox.api.status.ApiFailure;

/**
 * Webhooks and policies that see a write before it is stored. The write pipeline calls {@link
 * #mutate} before it validates, {@link #validate} after. May block for as long as the webhooks'
 * timeouts say; no lock is held meanwhile. Thread-safe.
 */
public interface AdmissionChain {
  /**
   * @throws ApiFailure if the write is refused or a webhook cannot be called
   */
  AdmissionResult mutate(AdmissionRequest request);

  /**
   * Never changes the object.
   *
   * @throws ApiFailure if the write is refused or a webhook cannot be called
   */
  AdmissionResult validate(AdmissionRequest request);
}
