package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.race.decide.RaceRefusal;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Encodes responses to {@code admission.k8s.io/v1} reviews. */
final class AdmissionReviewCodec {
  static final String API_VERSION = "admission.k8s.io/v1";
  static final String KIND = "AdmissionReview";

  /** Longer ones may be cut by API servers (admission.k8s.io, {@code warnings}). */
  private static final int WARNING_MAX = 256;

  private static final Duration SOON = Duration.ofSeconds(1);

  private AdmissionReviewCodec() {}

  static byte[] allowed(String uid) {
    return allowed(uid, List.of());
  }

  /**
   * @param warnings that the API server passes on to its client; shortened as it would shorten them
   */
  static byte[] allowed(String uid, List<String> warnings) {
    var response = new LinkedHashMap<String, Object>();
    response.put("uid", encodable(uid));
    response.put("allowed", true);
    if (!warnings.isEmpty()) {
      response.put("warnings", warnings.stream().map(AdmissionReviewCodec::shortened).toList());
    }
    return response(response);
  }

  private static String shortened(String warning) {
    return encodable(
        warning.length() <= WARNING_MAX ? warning : warning.substring(0, WARNING_MAX - 1) + "…");
  }

  /**
   * @param code HTTP status of the refused request
   * @param reason of its Status; empty for none
   */
  static byte[] refused(String uid, int code, String reason, String message) {
    return refused(uid, code, reason, message, Duration.ZERO);
  }

  /** With the delay after which clients built on client-go retry by themselves. */
  static byte[] refused(String uid, RaceRefusal refusal) {
    String message =
        refusal.isDetailed() ? inLog(uid, refusal.clientMessage()) : refusal.clientMessage();
    return refused(uid, refusal.code(), refusal.reason(), message, refusal.retryAfter());
  }

  /** A message whose details the operator finds in the log by the review's uid. */
  static String inLog(String uid, String message) {
    return message + " (details for the operator: the webhook's log on review " + uid + ")";
  }

  /** With the shortest of such delays. */
  static byte[] refusedForNow(String uid, int code, String reason, String message) {
    return refused(uid, code, reason, message, SOON);
  }

  private static byte[] refused(
      String uid, int code, String reason, String message, Duration retryAfter) {
    var status = new LinkedHashMap<String, Object>();
    status.put("code", (long) code);
    status.put("message", encodable(message));
    if (!reason.isEmpty()) {
      status.put("reason", reason);
    }
    if (retryAfter.isPositive()) {
      status.put("details", Map.of("retryAfterSeconds", retryAfter.toSeconds()));
    }
    return response(Map.of("uid", encodable(uid), "allowed", false, "status", status));
  }

  /** Replaces halves of surrogate pairs, which escapes and cuts in JSON may leave. */
  private static String encodable(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private static byte[] response(Map<String, Object> response) {
    var review = new LinkedHashMap<String, Object>();
    review.put("apiVersion", API_VERSION);
    review.put("kind", KIND);
    review.put("response", response);
    return KubeJson.write(Trees.freezeMap(review));
  }
}
