package dev.mooring.sandbox.webhook;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;

/** Reads what a webhook answers to a review. */
public final class ReviewAnswer {
  private ReviewAnswer() {}

  /**
   * A review; its kind and version are those of the question, or missing.
   *
   * @param kind of the question
   * @param apiVersion of the question
   */
  public static KubeObject read(byte[] body, String kind, String apiVersion)
      throws WebhookCaller.CallFailed {
    KubeObject review;
    try {
      review = KubeJson.readObject(body);
    } catch (MalformedJson e) {
      throw new WebhookCaller.CallFailed("its answer is not a review: " + e.getMessage());
    }
    boolean typed = !review.apiVersion().isEmpty() && !review.kind().isEmpty();
    if (typed && !(review.kind().equals(kind) && review.apiVersion().equals(apiVersion))) {
      throw new WebhookCaller.CallFailed(
          "its answer must be %s, Kind=%s, not %s, Kind=%s"
              .formatted(apiVersion, kind, review.apiVersion(), review.kind()));
    }
    return review;
  }
}
