package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.race.decide.RaceRefusal;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.access.Caller;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code admission.k8s.io/v1} reviews to values and answers to bytes. Anything that comes in gets a
 * {@link Review}; nothing is thrown.
 */
final class AdmissionReviewCodec {
  private static final String API_VERSION = "admission.k8s.io/v1";
  private static final String KIND = "AdmissionReview";

  /** Where an API server writes it: at the very start. */
  private static final Pattern LEADING_UID =
      Pattern.compile("\"request\"\\s*:\\s*\\{\\s*\"uid\"\\s*:\\s*\"([0-9a-zA-Z-]{1,64})\"");

  private static final int LEADING_BYTES = 4096;

  /** Longer ones may be cut by API servers (admission.k8s.io, {@code warnings}). */
  private static final int WARNING_MAX = 256;

  private static final Duration SOON = Duration.ofSeconds(1);

  private AdmissionReviewCodec() {}

  static Review read(byte[] body) {
    KubeObject review;
    try {
      review = KubeJson.readObject(body);
    } catch (MalformedJson e) {
      return new Review.Malformed(leadingUid(body), "not an AdmissionReview: " + e.getMessage());
    }
    String uid = review.text("request", "uid");
    if (!KIND.equals(review.kind()) || !API_VERSION.equals(review.apiVersion())) {
      return new Review.Malformed(
          uid,
          "expected %s %s, got %s %s"
              .formatted(API_VERSION, KIND, named(review.apiVersion()), named(review.kind())));
    }
    if (uid.isEmpty()) {
      return new Review.Malformed(uid, "the review has no request.uid");
    }
    String operation = review.text("request", "operation");
    return switch (operation) {
      case "DELETE" -> deletion(uid, review);
      case "CREATE", "UPDATE" -> writing(uid, operation, review);
      default -> new Review.OtherOperation(uid, operation);
    };
  }

  /** A status is written as the whole object; other subresources have kinds of their own. */
  private static Review writing(String uid, String operation, KubeObject review) {
    String subresource = review.text("request", "subResource");
    if (!subresource.isEmpty() && !subresource.equals("status")) {
      return new Review.OtherOperation(uid, operation);
    }
    Map<String, Object> old = review.map("request", "oldObject");
    Map<String, Object> tree = review.map("request", "object");
    String resource = review.text("request", "resource", "resource");
    String version = review.text("request", "resource", "version");
    if (tree.isEmpty() || resource.isEmpty() || version.isEmpty()) {
      return new Review.Malformed(uid, "the review has no request.object or request.resource");
    }
    if (operation.equals("UPDATE") && old.isEmpty()) {
      return new Review.Malformed(uid, "failed to parse object: the review has no oldObject");
    }
    KubeObject after = KubeObject.of(tree);
    Optional<KubeObject> before =
        operation.equals("UPDATE") ? Optional.of(KubeObject.of(old)) : Optional.empty();
    if (after.name().isEmpty()) {
      return new Review.Malformed(uid, "failed to parse object: it has no metadata.name");
    }
    // Who changes an object may leave the annotation out of the new one.
    Optional<LogicalCluster> cluster = before.orElse(after).logicalCluster();
    if (cluster.isEmpty()) {
      return new Review.Malformed(
          uid, "object has no " + LogicalCluster.ANNOTATION + " annotation");
    }
    return new Review.Writing(
        uid,
        cluster.get(),
        new ResourceType(review.text("request", "resource", "group"), version, resource),
        before,
        after,
        effect(review));
  }

  private static Review.Effect effect(KubeObject review) {
    return Boolean.TRUE.equals(review.at("request", "dryRun"))
        ? Review.Effect.DRY_RUN
        : Review.Effect.REAL;
  }

  private static Review deletion(String uid, KubeObject review) {
    String resource = review.text("request", "resource", "resource");
    if (resource.isEmpty()) {
      return new Review.Malformed(uid, "the review has no request.resource");
    }
    Map<String, Object> old = review.map("request", "oldObject");
    Map<String, Object> tree = old.isEmpty() ? review.map("request", "object") : old;
    if (tree.isEmpty()) {
      return new Review.Malformed(uid, "failed to parse object: the review carries none");
    }
    KubeObject object = KubeObject.of(tree);
    if (object.name().isEmpty()) {
      return new Review.Malformed(uid, "failed to parse object: it has no metadata.name");
    }
    Optional<LogicalCluster> cluster;
    try {
      cluster = object.logicalCluster();
    } catch (IllegalArgumentException e) {
      return new Review.Malformed(
          uid, "object's " + LogicalCluster.ANNOTATION + " annotation is " + e.getMessage());
    }
    if (cluster.isEmpty()) {
      return new Review.Malformed(
          uid, "object has no " + LogicalCluster.ANNOTATION + " annotation");
    }
    var type = new GroupResource(review.text("request", "resource", "group"), resource);
    var key = new ObjectKey(cluster.get(), object.namespace(), object.name());
    return new Review.Deletion(uid, new Target(type, key), object, caller(review), effect(review));
  }

  private static Caller caller(KubeObject review) {
    var extra = new LinkedHashMap<String, List<String>>();
    review
        .map("request", "userInfo", "extra")
        .forEach((key, values) -> extra.put(key, strings(Trees.listOrEmpty(values))));
    return new Caller(
        review.text("request", "userInfo", "username"),
        review.text("request", "userInfo", "uid"),
        strings(review.list("request", "userInfo", "groups")),
        extra);
  }

  private static List<String> strings(List<Object> values) {
    return values.stream().filter(String.class::isInstance).map(String.class::cast).toList();
  }

  /** Of a body that is too large or broken to be read as a whole; empty if it is not there. */
  static String leadingUid(byte[] body) {
    String start =
        new String(body, 0, Math.min(body.length, LEADING_BYTES), StandardCharsets.UTF_8);
    Matcher matcher = LEADING_UID.matcher(start);
    return matcher.find() ? matcher.group(1) : "";
  }

  static byte[] allowed(String uid) {
    return allowed(uid, List.of());
  }

  /**
   * @param warnings that the API server passes on to its client; shortened as it would shorten them
   */
  static byte[] allowed(String uid, List<String> warnings) {
    var response = new LinkedHashMap<String, Object>();
    response.put("uid", uid);
    response.put("allowed", true);
    if (!warnings.isEmpty()) {
      response.put("warnings", warnings.stream().map(AdmissionReviewCodec::shortened).toList());
    }
    return response(response);
  }

  private static String shortened(String warning) {
    return warning.length() <= WARNING_MAX ? warning : warning.substring(0, WARNING_MAX - 1) + "…";
  }

  /**
   * @param code HTTP status of the refused request
   * @param reason of its Status; empty for none
   */
  static byte[] refused(String uid, int code, String reason, String message) {
    return refused(uid, code, reason, message, Duration.ZERO);
  }

  /** With the delay after which clients built on client-go ask again by themselves. */
  static byte[] refused(String uid, RaceRefusal refusal) {
    return refused(uid, refusal.code(), refusal.reason(), refusal.message(), refusal.retryAfter());
  }

  /** With the least of such delays. */
  static byte[] refusedForNow(String uid, int code, String reason, String message) {
    return refused(uid, code, reason, message, SOON);
  }

  private static byte[] refused(
      String uid, int code, String reason, String message, Duration retryAfter) {
    var status = new LinkedHashMap<String, Object>();
    status.put("code", (long) code);
    status.put("message", message);
    if (!reason.isEmpty()) {
      status.put("reason", reason);
    }
    if (retryAfter.isPositive()) {
      status.put("details", Map.of("retryAfterSeconds", retryAfter.toSeconds()));
    }
    return response(Map.of("uid", uid, "allowed", false, "status", status));
  }

  private static byte[] response(Map<String, Object> response) {
    var review = new LinkedHashMap<String, Object>();
    review.put("apiVersion", API_VERSION);
    review.put("kind", KIND);
    review.put("response", response);
    return KubeJson.write(Trees.freezeMap(review));
  }

  private static String named(String text) {
    return text.isEmpty() ? "(none)" : text;
  }
}
