package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.AdmissionDecision;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Denied;
import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Decisions to responses of {@code admission.k8s.io/v1}. */
final class ReviewEncoder {
  static final String API_VERSION = "admission.k8s.io/v1";
  static final String KIND = "AdmissionReview";

  /** Longer ones may be cut by API servers (admission.k8s.io, {@code warnings}). */
  private static final int WARNING_MAX = 256;

  private ReviewEncoder() {}

  /**
   * @param uid of the review; empty if it could not be parsed
   */
  static byte[] encodeResponse(String uid, AdmissionDecision decision) {
    var response = new LinkedHashMap<String, Object>();
    response.put("uid", encodable(uid));
    switch (decision) {
      case Allowed(_, var warnings, _, _) -> {
        response.put("allowed", true);
        List<String> texts =
            warnings.stream()
                .map(note -> note.isDetailed() ? inLog(uid, note.callerMessage()) : note.message())
                .distinct()
                .map(ReviewEncoder::shortened)
                .toList();
        if (!texts.isEmpty()) {
          response.put("warnings", texts);
        }
      }
      case Denied(_, var refusal, _) -> {
        response.put("allowed", false);
        response.put("status", status(uid, refusal));
      }
    }
    return KubeJson.write(
        Trees.freezeMap(
            Trees.ordered("apiVersion", API_VERSION, "kind", KIND, "response", response)));
  }

  private static Map<String, Object> status(String uid, ClientRefusal refusal) {
    String message = refusal.clientMessage();
    var status = new LinkedHashMap<String, Object>();
    status.put("code", (long) refusal.code());
    status.put("message", encodable(refusal.isDetailed() ? inLog(uid, message) : message));
    if (!refusal.reason().isEmpty()) {
      status.put("reason", refusal.reason());
    }
    // Clients built on client-go retry by themselves after it.
    if (refusal.retryAfter().isPositive()) {
      status.put("details", Map.of("retryAfterSeconds", refusal.retryAfter().toSeconds()));
    }
    return status;
  }

  /** A message whose details the operator finds in the log by the review's uid. */
  private static String inLog(String uid, String message) {
    return message + " (details for the operator: the webhook's log on review " + uid + ")";
  }

  private static String shortened(String warning) {
    return encodable(
        warning.length() <= WARNING_MAX ? warning : warning.substring(0, WARNING_MAX - 1) + "…");
  }

  /** Replaces halves of surrogate pairs, which escapes and cuts in JSON may leave. */
  private static String encodable(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
