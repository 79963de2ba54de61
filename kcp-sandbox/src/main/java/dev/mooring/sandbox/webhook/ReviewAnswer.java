package dev.mooring.sandbox.webhook;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.GoText;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what a webhook answers to a review, as client-go does and in its words. */
public final class ReviewAnswer {
  private static final String SCHEME =
      "k8s.io/apimachinery@v0.0.0-20260602065202-e006560fc76a/pkg/runtime/scheme.go:111";
  private static final String UNTYPED =
      "couldn't get version/kind; json parse error: json: cannot unmarshal %s into Go value of"
          + " type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string"
          + " \"json:\\\"kind,omitempty\\\"\" }";

  private ReviewAnswer() {}

  /**
   * A review; its kind and version are those of the question, or missing.
   *
   * @param kind of the question
   * @param apiVersion of the question
   */
  public static KubeObject read(byte[] body, String kind, String apiVersion)
      throws WebhookCaller.CallFailed {
    if (body.length == 0) {
      throw new WebhookCaller.CallFailed(
          "0-length response with status code: 200 and content type: application/json");
    }
    Object tree = tree(body);
    if (!(tree instanceof Map<?, ?>)) {
      throw new WebhookCaller.CallFailed(UNTYPED.formatted(GoText.jsonKind(tree)));
    }
    KubeObject review = KubeObject.of(Trees.mapOrEmpty(tree));
    if (review.apiVersion().isEmpty() || review.kind().isEmpty()) {
      return review;
    }
    if (!review.kind().equals(kind)) {
      throw new WebhookCaller.CallFailed(
          "no kind \"%s\" is registered for version \"%s\" in scheme \"%s\""
              .formatted(review.kind(), review.apiVersion(), SCHEME));
    }
    if (!review.apiVersion().equals(apiVersion)) {
      throw new WebhookCaller.CallFailed(
          "converting (%s.%s) to (%s.%s): unknown conversion"
              .formatted(version(review.apiVersion()), kind, version(apiVersion), kind));
    }
    return review;
  }

  /** What is no JSON may be YAML, and there a text. */
  private static @Nullable Object tree(byte[] body) {
    try {
      return KubeJson.read(body);
    } catch (MalformedJson notJson) {
      return "";
    }
  }

  private static String version(String apiVersion) {
    return apiVersion.substring(apiVersion.indexOf('/') + 1);
  }
}
