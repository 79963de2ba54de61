package dev.mooring.sandbox.admission.webhook;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.Map;
import java.util.Optional;

/** Refusals as clients read them (apiserver/pkg/admission/plugin/webhook/errors). */
final class WebhookDenial {
  private static final int CODE_MIN = 400;

  private WebhookDenial() {}

  /** The webhook said no: its status is passed on, with its name before the message. */
  static ApiFailure denied(String webhook, Optional<KubeObject> result) {
    KubeObject said = result.orElse(KubeObject.of(Map.of()));
    long code = said.at("code") instanceof Long given && given >= CODE_MIN ? given : CODE_MIN;
    String explanation =
        said.text("message").isEmpty() ? said.text("reason") : said.text("message");
    String denial = "admission webhook \"" + webhook + "\" denied the request";
    ApiFailure failure =
        ApiFailure.of(
            (int) code,
            said.text("reason"),
            explanation.isEmpty() ? denial + " without explanation" : denial + ": " + explanation,
            said.at("details") instanceof Map<?, ?> details ? Trees.mapOrEmpty(details) : null);
    return ApiFailure.ofStatus((int) code, failure.status().with(said.map("metadata"), "metadata"));
  }

  /** The webhook could not be asked, and its failure policy is Fail. */
  static ApiFailure uncallable(String webhook, String problem) {
    return ApiFailure.internal("failed calling webhook \"" + webhook + "\": " + problem);
  }

  static ApiFailure dryRunUnsupported(String webhook) {
    return ApiFailure.badRequest("admission webhook \"" + webhook + "\" does not support dry run");
  }

  /** The match conditions had no value, and the failure policy is Fail. */
  static ApiFailure undecided(AdmissionRequest request, String problem) {
    return ApiFailure.forbidden(request.definition().type(), request.name(), problem);
  }
}
