package dev.mooring.sandbox.admission.webhook;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.ResourceDefinition;
import java.util.Optional;

/**
 * A write as one webhook gets to see it.
 *
 * @param seen the resource in the version that the webhook's rules name; the request's own unless
 *     the match was by an equivalent version
 */
record WebhookCall(Webhook webhook, AdmissionRequest request, ResourceDefinition seen) {
  Optional<KubeObject> object() {
    return request.object().map(this::converted);
  }

  Optional<KubeObject> previous() {
    return request.previous().map(this::converted);
  }

  private KubeObject converted(KubeObject object) {
    return seen.type().equals(request.definition().type())
        ? object
        : seen.converter().toServed(request.definition().converter().toStorage(object));
  }

  /** Back from the version seen to that of the request. */
  KubeObject inRequestVersion(KubeObject object) {
    return seen.type().equals(request.definition().type())
        ? object
        : request.definition().converter().toServed(seen.converter().toStorage(object));
  }
}
