package dev.mooring.sandbox.admission.match;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.selector.LabelSelector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which writes concern a webhook or policy: rules, and selectors over the labels of namespace and
 * object.
 *
 * @param excluded no write that one of these matches; webhooks have none
 * @param exact whether a write is not shown in another version that a rule names
 */
public record MatchCriteria(
    List<AdmissionRule> rules,
    List<AdmissionRule> excluded,
    LabelSelector namespaceSelector,
    LabelSelector objectSelector,
    boolean exact) {
  private static final String CONFIGURATION_GROUP = "admissionregistration.k8s.io";

  /**
   * What may have to be looked up, and only if a criterion needs it.
   *
   * @param namespaceLabels of the request's namespace; throws ApiFailure if there is no such
   *     namespace
   * @param otherVersions in which the request's resource is served as well
   */
  public record MatchContext(
      Supplier<Map<String, String>> namespaceLabels,
      Supplier<List<ResourceDefinition>> otherVersions) {}

  /**
   * From a webhook, or from {@code matchConstraints} or {@code matchResources} of policies.
   *
   * @param rulesField where the rules are: {@code rules} or {@code resourceRules}
   */
  public static MatchCriteria of(@Nullable Object tree, String rulesField) {
    return new MatchCriteria(
        rules(tree, rulesField),
        rules(tree, "excludeResourceRules"),
        LabelSelector.of(Trees.at(tree, "namespaceSelector")),
        LabelSelector.of(Trees.at(tree, "objectSelector")),
        "Exact".equals(Trees.at(tree, "matchPolicy")));
  }

  private static List<AdmissionRule> rules(@Nullable Object tree, String field) {
    return Trees.list(tree, field).stream().map(AdmissionRule::of).toList();
  }

  /**
   * The resource in the version to show: the request's own or that of the matching rule. Empty if
   * the write does not concern.
   */
  public Optional<ResourceDefinition> match(AdmissionRequest request, MatchContext context) {
    if (request.definition().type().group().equals(CONFIGURATION_GROUP)) {
      // Otherwise a webhook or policy that fails could not be removed.
      return Optional.empty();
    }
    if (seenAs(excluded, request, context).isPresent()) {
      return Optional.empty();
    }
    Optional<ResourceDefinition> seen = seenAs(rules, request, context);
    return seen.isPresent() && selects(request, context) ? seen : Optional.empty();
  }

  /** Both selectors, without the rules. */
  public boolean selects(AdmissionRequest request, MatchContext context) {
    return matchesNamespace(request, context) && matchesObject(request);
  }

  private Optional<ResourceDefinition> seenAs(
      List<AdmissionRule> candidates, AdmissionRequest request, MatchContext context) {
    ResourceDefinition definition = request.definition();
    String namespace = namespaceFor(request);
    boolean otherVersion = false;
    String name = new VersionedRequest(request, definition).name();
    List<AdmissionRule> named = candidates.stream().filter(rule -> rule.matchesName(name)).toList();
    for (AdmissionRule rule : named) {
      if (rule.matchesAnyVersion(
          request.operation(), definition.type(), request.subresource(), namespace)) {
        if (rule.matchesVersion(definition.type().version())) {
          return Optional.of(definition);
        }
        otherVersion = true;
      }
    }
    if (!otherVersion || exact) {
      return Optional.empty();
    }
    List<ResourceDefinition> others = context.otherVersions().get();
    for (AdmissionRule rule : named) {
      for (ResourceDefinition other : others) {
        if (rule.matches(request.operation(), other.type(), request.subresource(), namespace)) {
          return Optional.of(other);
        }
      }
    }
    return Optional.empty();
  }

  private boolean matchesNamespace(AdmissionRequest request, MatchContext context) {
    if (namespaceSelector.matchesEverything()) {
      return true;
    }
    if (isNamespace(request)
        && request.subresource().isEmpty()
        && request.operation() != Operation.DELETE) {
      return namespaceSelector.matches(request.object().map(KubeObject::labels).orElse(Map.of()));
    }
    // Objects without a namespace are never exempted by one's labels.
    return namespaceFor(request).isEmpty()
        || namespaceSelector.matches(context.namespaceLabels().get());
  }

  /** Either state of the object may match. */
  private boolean matchesObject(AdmissionRequest request) {
    return objectSelector.matchesEverything()
        || request.object().filter(this::selects).isPresent()
        || request.previous().filter(this::selects).isPresent();
  }

  private boolean selects(KubeObject object) {
    return objectSelector.matches(object.labels());
  }

  private static boolean isNamespace(AdmissionRequest request) {
    return request.definition().type().group().isEmpty()
        && request.definition().type().resource().equals("namespaces");
  }

  /** For a Namespace object this is its own name, as in Kubernetes. */
  public static String namespaceFor(AdmissionRequest request) {
    if (!isNamespace(request)) {
      return request.namespace();
    }
    return request.name().isEmpty()
        ? request.object().or(request::previous).map(KubeObject::name).orElse("")
        : request.name();
  }
}
