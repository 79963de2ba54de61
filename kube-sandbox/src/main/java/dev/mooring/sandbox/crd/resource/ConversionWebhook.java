package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.WebhookAddress;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.NameRules;
import dev.mooring.sandbox.webhook.WebhookCaller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The webhook that converts objects of one definition (apiextensions-apiserver {@code
 * pkg/apiserver/conversion}). What it may change is everything but the object's identity and the
 * metadata other than labels and annotations. Thread-safe.
 *
 * @param reviewVersion the first one offered that the server speaks; empty for none
 */
record ConversionWebhook(WebhookCaller.Target target, String reviewVersion) {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String GROUP = "apiextensions.k8s.io/";
  private static final String REVIEW = "ConversionReview";

  /** Empty if the definition's versions differ in their schemas alone. */
  static Optional<ConversionWebhook> of(KubeObject definition) {
    if (!definition.text("spec", "conversion", "strategy").equals("Webhook")) {
      return Optional.empty();
    }
    Object webhook = definition.at("spec", "conversion", "webhook");
    return Optional.of(
        new ConversionWebhook(
            new WebhookCaller.Target(
                WebhookAddress.of(Trees.at(webhook, "clientConfig")),
                Trees.text(webhook, "clientConfig", "caBundle"),
                TIMEOUT),
            Trees.texts(Trees.at(webhook, "conversionReviewVersions")).stream()
                .filter(List.of("v1", "v1beta1")::contains)
                .findFirst()
                .orElse("")));
  }

  /**
   * The object in another version. Blocks at most {@link #TIMEOUT}. Throws {@link ApiFailure} 500
   * if the webhook gives no answer that counts.
   */
  KubeObject convert(WebhookCaller caller, KubeObject object, String apiVersion) {
    String type = "conversion for " + type(object);
    List<Object> objects;
    try {
      objects = ask(caller, sent(object), apiVersion);
    } catch (WebhookCaller.CallFailed e) {
      throw failure(type + " failed: conversion webhook for /, Kind= failed: " + e.getMessage());
    }
    List<KubeObject> converted = objects.stream().map(item -> object(type, item)).toList();
    if (converted.size() != 1) {
      throw failure(type + " returned " + converted.size() + " objects, expected 1");
    }
    KubeObject answer = converted.getFirst();
    differences(object, answer, apiVersion)
        .findFirst()
        .ifPresent(difference -> {
          throw failure(type + " returned invalid converted object at index 1: " + difference);
        });
    return answer.with(metadata(type, object, answer), "metadata");
  }

  /** As it is in the store: without what is known by its place there. */
  private static KubeObject sent(KubeObject object) {
    KubeObject sent =
        object
            .without("metadata", "resourceVersion")
            .without("metadata", "annotations", LogicalCluster.ANNOTATION);
    return sent.annotations().isEmpty() ? sent.without("metadata", "annotations") : sent;
  }

  private List<Object> ask(WebhookCaller caller, KubeObject object, String apiVersion)
      throws WebhookCaller.CallFailed {
    if (reviewVersion.isEmpty()) {
      throw new WebhookCaller.CallFailed("no supported conversion review versions");
    }
    String uid = UUID.randomUUID().toString();
    Map<String, Object> review =
        Trees.ordered(
            "kind",
            REVIEW,
            "apiVersion",
            GROUP + reviewVersion,
            "request",
            Trees.ordered(
                "uid", uid,
                "desiredAPIVersion", apiVersion,
                "objects", List.of(object.tree())),
            "response",
            Trees.ordered(
                "uid", "", "convertedObjects", null, "result", Map.of("metadata", Map.of())));
    byte[] answer = caller.post(target, KubeJson.write(review));
    return answered(WebhookCaller.review(answer, REVIEW, GROUP + reviewVersion), uid);
  }

  private List<Object> answered(KubeObject review, String uid) throws WebhookCaller.CallFailed {
    boolean checked = reviewVersion.equals("v1");
    if (checked && review.apiVersion().isEmpty()) {
      throw new WebhookCaller.CallFailed(
          "expected webhook response of %s, Kind=%s, got /, Kind=%s"
              .formatted(GROUP + reviewVersion, REVIEW, review.kind()));
    }
    if (!(review.at("response") instanceof Map<?, ?>)) {
      throw new WebhookCaller.CallFailed("no response provided");
    }
    String answeredUid = review.text("response", "uid");
    if (checked && !answeredUid.equals(uid)) {
      throw new WebhookCaller.CallFailed(
          "expected response.uid=\"%s\", got \"%s\"".formatted(uid, answeredUid));
    }
    String status = review.text("response", "result", "status");
    if (!status.equals("Success")) {
      String message = review.text("response", "result", "message");
      throw new WebhookCaller.CallFailed(
          message.isEmpty()
              ? "response.result.status was '" + status + "', not 'Success'"
              : message);
    }
    return review.list("response", "convertedObjects");
  }

  private static KubeObject object(String type, @Nullable Object item) {
    KubeObject object = KubeObject.of(Trees.mapOrEmpty(item));
    if (object.kind().isEmpty()) {
      throw failure(type + " failed: a converted object has no kind");
    }
    return object;
  }

  private static Stream<String> differences(KubeObject in, KubeObject out, String apiVersion) {
    return Stream.of(
            difference(
                "invalid groupVersion (expected %s, received %s)", apiVersion, out.apiVersion()),
            difference("invalid kind (expected %s, received %s)", in.kind(), out.kind()),
            difference("must have the same name: %s != %s", in.name(), out.name()),
            difference("must have the same namespace: %s != %s", in.namespace(), out.namespace()),
            difference("must have the same UID: %s != %s", in.uid(), out.uid()))
        .flatMap(Optional::stream);
  }

  private static Optional<String> difference(String text, String expected, String given) {
    return expected.equals(given) ? Optional.empty() : Optional.of(text.formatted(expected, given));
  }

  /** The object's own, with the labels and annotations of what the webhook made. */
  private static Map<String, Object> metadata(String type, KubeObject in, KubeObject out) {
    String problem = type + " returned invalid metadata in object at index 1: ";
    var metadata = new LinkedHashMap<>(in.map("metadata"));
    for (String field : List.of("labels", "annotations")) {
      Object given = out.at("metadata", field);
      Map<String, Object> checked = texts(problem, field, given);
      var kept = new LinkedHashMap<>(checked);
      if (field.equals("annotations")) {
        in.annotation(LogicalCluster.ANNOTATION)
            .ifPresent(cluster -> kept.put(LogicalCluster.ANNOTATION, cluster));
      }
      if (given == null && kept.isEmpty()) {
        metadata.remove(field);
      } else {
        metadata.put(field, kept);
      }
    }
    return metadata;
  }

  private static Map<String, Object> texts(String problem, String field, @Nullable Object given) {
    if (given != null && !(given instanceof Map<?, ?>)) {
      throw failure(problem + "metadata.%s must be a map in converted object".formatted(field));
    }
    Map<String, Object> texts = Trees.mapOrEmpty(given);
    var errors = new ArrayList<FieldError>();
    texts.forEach((key, value) -> {
      if (!(value instanceof String text)) {
        throw failure(
            problem + "metadata.%s[%s] must be a string in converted object".formatted(field, key));
      }
      if (field.equals("labels")) {
        NameRules.qualifiedName(key)
            .forEach(wrong -> errors.add(FieldError.invalid("metadata.labels", key, wrong)));
        NameRules.labelValue(text)
            .forEach(wrong -> errors.add(FieldError.invalid("metadata.labels", text, wrong)));
      } else {
        NameRules.qualifiedName(key.toLowerCase(Locale.ROOT))
            .forEach(wrong -> errors.add(FieldError.invalid("metadata.annotation", key, wrong)));
      }
    });
    if (!errors.isEmpty()) {
      String all = errors.stream().map(FieldError::toString).collect(Collectors.joining(", "));
      throw failure(problem + (errors.size() == 1 ? all : "[" + all + "]"));
    }
    return texts;
  }

  private static String type(KubeObject object) {
    return object.apiVersion() + ", Kind=" + object.kind();
  }

  private static ApiFailure failure(String message) {
    return ApiFailure.of(500, "", message, null);
  }
}
