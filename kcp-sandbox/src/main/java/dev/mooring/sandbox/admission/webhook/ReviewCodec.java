package dev.mooring.sandbox.admission.webhook;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Effect;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.ResourceDefinition;
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
      super(message, null, false, false);
    }
  }

  private ReviewCodec() {}

  static byte[] write(WebhookCall call, String uid) {
    var review = new LinkedHashMap<String, Object>();
    review.put("kind", "AdmissionReview");
    review.put("apiVersion", GROUP + "/" + call.webhook().reviewVersion());
    review.put("request", requestTree(call, uid));
    return KubeJson.write(review);
  }

  static Map<String, Object> requestTree(WebhookCall call, String uid) {
    AdmissionRequest request = call.request();
    var tree = new LinkedHashMap<String, Object>();
    tree.put("uid", uid);
    tree.put("kind", kind(call.seen(), request.subresource()));
    tree.put("resource", resource(call.seen().type()));
    putUnlessEmpty(tree, "subResource", request.subresource());
    tree.put("requestKind", kind(request.definition(), request.subresource()));
    tree.put("requestResource", resource(request.definition().type()));
    putUnlessEmpty(tree, "requestSubResource", request.subresource());
    putUnlessEmpty(tree, "name", name(request));
    putUnlessEmpty(tree, "namespace", WebhookMatcher.namespaceFor(request));
    tree.put("operation", request.operation().name());
    tree.put("userInfo", request.user().toTree());
    tree.put("object", call.object().map(KubeObject::tree).orElse(null));
    tree.put("oldObject", call.previous().map(KubeObject::tree).orElse(null));
    tree.put("dryRun", request.effect() == Effect.DRY_RUN);
    tree.put("options", request.options().isEmpty() ? null : request.options());
    return tree;
  }

  /** A create by generateName has its name by now; the objects of a deletecollection go without. */
  private static String name(AdmissionRequest request) {
    return request.name().isEmpty() && request.operation() == Operation.CREATE
        ? request.object().map(KubeObject::name).orElse("")
        : request.name();
  }

  private static Map<String, Object> kind(ResourceDefinition definition, String subresource) {
    var tree = new LinkedHashMap<String, Object>();
    boolean scale = subresource.equals("scale");
    tree.put("group", scale ? "autoscaling" : definition.type().group());
    tree.put("version", scale ? "v1" : definition.type().version());
    tree.put("kind", scale ? "Scale" : definition.kind());
    return tree;
  }

  private static Map<String, Object> resource(ResourceType type) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("group", type.group());
    tree.put("version", type.version());
    tree.put("resource", type.resource());
    return tree;
  }

  /** Throws {@link InvalidAnswer}. */
  static Answer read(byte[] body, String uid, Webhook webhook, Kind kind) {
    KubeObject review;
    try {
      review = KubeJson.readObject(body);
    } catch (MalformedJson e) {
      throw new InvalidAnswer("the body is not a JSON object: " + e.getMessage());
    }
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
        review.list("response", "warnings").stream().map(String::valueOf).toList());
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
      return Trees.listOrEmpty(KubeJson.read(json));
    } catch (IllegalArgumentException | MalformedJson e) {
      throw new InvalidAnswer("received undecodable patch in webhook response: " + e.getMessage());
    }
  }

  private static void putUnlessEmpty(Map<String, Object> tree, String key, String value) {
    if (!value.isEmpty()) {
      tree.put(key, value);
    }
  }
}
