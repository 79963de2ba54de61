package dev.mooring.sandbox.admission.webhook;

import dev.cel.common.values.NullValue;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.ResourceDefinition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Decides whether a webhook is to be called about a write. Pure but for what it is told to look up;
 * look-ups happen only where a selector needs them.
 */
final class WebhookMatcher {
  private static final String CONFIGURATION_GROUP = "admissionregistration.k8s.io";

  /**
   * What may have to be looked up.
   *
   * @param namespaceLabels of the request's namespace; throws ApiFailure if there is no such
   *     namespace
   * @param otherVersions in which the request's resource is served as well
   */
  record Surroundings(
      Supplier<Map<String, String>> namespaceLabels,
      Supplier<List<ResourceDefinition>> otherVersions) {}

  /** Whether to call. */
  sealed interface Match {
    record Skip() implements Match {}

    record Call(WebhookCall call) implements Match {}

    /** The match conditions had no value; the failure policy decides. */
    record Undecided(String problem) implements Match {}
  }

  private WebhookMatcher() {}

  static Match match(Webhook webhook, AdmissionRequest request, Surroundings surroundings) {
    if (request.definition().type().group().equals(CONFIGURATION_GROUP)) {
      // Otherwise a webhook that fails could not be removed.
      return new Match.Skip();
    }
    Optional<ResourceDefinition> seen = seenAs(webhook, request, surroundings);
    if (seen.isEmpty()
        || !matchesNamespace(webhook, request, surroundings)
        || !matchesObject(webhook, request)) {
      return new Match.Skip();
    }
    var call = new WebhookCall(webhook, request, seen.get());
    if (webhook.conditions().isEmpty()) {
      return new Match.Call(call);
    }
    return switch (webhook.conditions().evaluate(variables(call))) {
      case MatchConditions.Outcome.Matches() -> new Match.Call(call);
      case MatchConditions.Outcome.Differs() -> new Match.Skip();
      case MatchConditions.Outcome.Undecided(var problem) -> new Match.Undecided(problem);
    };
  }

  /** The version that the first matching rule names; empty if none matches. */
  private static Optional<ResourceDefinition> seenAs(
      Webhook webhook, AdmissionRequest request, Surroundings surroundings) {
    ResourceDefinition definition = request.definition();
    String namespace = namespaceFor(request);
    boolean otherVersion = false;
    for (WebhookRule rule : webhook.rules()) {
      if (rule.matchesBesideVersion(
          request.operation(), definition.type(), request.subresource(), namespace)) {
        if (rule.matchesVersion(definition.type().version())) {
          return Optional.of(definition);
        }
        otherVersion = true;
      }
    }
    if (!otherVersion || webhook.matchPolicy() == Webhook.MatchPolicy.EXACT) {
      return Optional.empty();
    }
    List<ResourceDefinition> others = surroundings.otherVersions().get();
    for (WebhookRule rule : webhook.rules()) {
      for (ResourceDefinition other : others) {
        if (rule.matches(request.operation(), other.type(), request.subresource(), namespace)) {
          return Optional.of(other);
        }
      }
    }
    return Optional.empty();
  }

  private static boolean matchesNamespace(
      Webhook webhook, AdmissionRequest request, Surroundings surroundings) {
    if (webhook.namespaceSelector().matchesEverything()) {
      return true;
    }
    if (isNamespace(request)
        && request.subresource().isEmpty()
        && request.operation() != Operation.DELETE) {
      return webhook
          .namespaceSelector()
          .matches(request.object().map(KubeObject::labels).orElse(Map.of()));
    }
    // Objects without a namespace are never exempted by one's labels.
    return namespaceFor(request).isEmpty()
        || webhook.namespaceSelector().matches(surroundings.namespaceLabels().get());
  }

  /** Either state of the object may match. */
  private static boolean matchesObject(Webhook webhook, AdmissionRequest request) {
    return webhook.objectSelector().matchesEverything()
        || request.object().filter(object -> selects(webhook, object)).isPresent()
        || request.previous().filter(object -> selects(webhook, object)).isPresent();
  }

  private static boolean selects(Webhook webhook, KubeObject object) {
    return webhook.objectSelector().matches(object.labels());
  }

  static boolean isNamespace(AdmissionRequest request) {
    return request.definition().type().group().isEmpty()
        && request.definition().type().resource().equals("namespaces");
  }

  /** For a Namespace object this is its own name, as in Kubernetes. */
  static String namespaceFor(AdmissionRequest request) {
    if (!isNamespace(request)) {
      return request.namespace();
    }
    return request.name().isEmpty()
        ? request.object().or(request::previous).map(KubeObject::name).orElse("")
        : request.name();
  }

  private static Map<String, Object> variables(WebhookCall call) {
    var variables = new HashMap<String, Object>();
    variables.put("object", tree(call.object()));
    variables.put("oldObject", tree(call.previous()));
    variables.put("request", ReviewCodec.requestTree(call, ""));
    return variables;
  }

  private static Object tree(Optional<KubeObject> object) {
    return object.<Object>map(KubeObject::tree).orElse(NullValue.NULL_VALUE);
  }
}
