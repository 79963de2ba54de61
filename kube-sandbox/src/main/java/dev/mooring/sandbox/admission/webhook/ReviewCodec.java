package dev.mooring.sandbox.admission.webhook;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.webhook.WebhookCaller;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code admission.k8s.io} AdmissionReviews, written and read as the API server does
 * (apiserver/pkg/admission/plugin/webhook/request).
 */
final class ReviewCodec {
  private static final String GROUP = "admission.k8s.io";

  /** Which kind of webhook answers: only mutating ones may send patches. */
  enum Kind {
    VALIDATING,
    MUTATING
  }

  /**
   * A webhook's answer.
   *
   * @param result the {@code status} of a denial; empty if there is none
   * @param patch the operations of a JSON patch; empty if there are none
   */
  record Answer(
      boolean allowed, Optional<KubeObject> result, List<Object> patch, List<String> warnings) {
    Answer {
      warnings = List.copyOf(warnings);
    }
  }

  /** The answer is not one that counts; the message says why. */
  static final class InvalidAnswer extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidAnswer(String message) {
      this("received invalid webhook response: ", message);
    }

    private InvalidAnswer(String prefix, String message) {
      super(prefix + message, null, false, false);
    }

    /** An answer whose patch is none. */
    static InvalidAnswer undecodable(String message) {
      return new InvalidAnswer("received undecodable patch in webhook response: ", message);
    }
  }

  private ReviewCodec() {}

  static byte[] write(WebhookCall call, String uid) {
    var review = new LinkedHashMap<String, Object>();
    review.put("kind", "AdmissionReview");
    review.put("apiVersion", GROUP + "/" + call.webhook().reviewVersion());
    review.put("request", call.write().requestTree(uid));
    return KubeJson.write(review);
  }

  /** Throws {@link InvalidAnswer}. */
  static Answer read(byte[] body, String uid, Webhook webhook, Kind kind)
      throws WebhookCaller.CallFailed {
    KubeObject review =
        WebhookCaller.review(body, "AdmissionReview", GROUP + "/" + webhook.reviewVersion());
    if (!(review.at("response") instanceof Map<?, ?>)) {
      throw new InvalidAnswer("webhook response was absent");
    }
    if (webhook.reviewVersion().equals("v1")) {
      requireAnswerTo(review, uid);
    }
    return new Answer(
        Boolean.TRUE.equals(review.at("response", "allowed")),
        review.at("response", "status") instanceof Map<?, ?> status
            ? Optional.of(KubeObject.of(Trees.mapOrEmpty(status)))
            : Optional.empty(),
        patch(review, kind),
        Trees.texts(review.at("response", "warnings")));
  }

  private static void requireAnswerTo(KubeObject review, String uid) {
    String answered = review.text("response", "uid");
    if (!answered.equals(uid)) {
      throw new InvalidAnswer("expected response.uid=\"%s\", got \"%s\"".formatted(uid, answered));
    }
    if (!review.apiVersion().equals(GROUP + "/v1") || !review.kind().equals("AdmissionReview")) {
      throw new InvalidAnswer(
          "expected webhook response of %s/v1, Kind=AdmissionReview, got %s, Kind=%s"
              .formatted(GROUP, review.apiVersion(), review.kind()));
    }
  }

  private static List<Object> patch(KubeObject review, Kind kind) {
    String patch = review.text("response", "patch");
    boolean typed = review.at("response", "patchType") != null;
    if (kind == Kind.VALIDATING) {
      if (!patch.isEmpty()) {
        throw new InvalidAnswer("validating webhook may not return response.patch");
      }
      if (typed) {
        throw new InvalidAnswer("validating webhook may not return response.patchType");
      }
      return List.of();
    }
    if (patch.isEmpty()) {
      if (typed) {
        throw new InvalidAnswer("webhook returned response.patchType but not response.patch");
      }
      return List.of();
    }
    if (!typed) {
      throw new InvalidAnswer("webhook returned response.patch but not response.patchType");
    }
    if (!review.text("response", "patchType").equals("JSONPatch")) {
      throw new InvalidAnswer(
          "unsupported patch type \"" + review.text("response", "patchType") + "\"");
    }
    try {
      byte[] json = Base64.getDecoder().decode(patch.getBytes(StandardCharsets.US_ASCII));
      Object operations = KubeJson.read(json);
      if (!(operations instanceof List<?>)) {
        throw InvalidAnswer.undecodable("a JSON patch must be a list of operations");
      }
      return Trees.listOrEmpty(operations);
    } catch (IllegalArgumentException | MalformedJson e) {
      throw InvalidAnswer.undecodable(String.valueOf(e.getMessage()));
    }
  }
}
