package dev.mooring.depcontroller.guard.decide;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How protection stands in a {@code ValidatingWebhookConfiguration}. Every field that the API
 * server would default is written out, so that what is there can be compared with what is wanted.
 */
final class GuardShape {
  static final String ENTRY = "dependency-controller." + DependencyRule.GROUP;
  private static final String API_VERSION = "admissionregistration.k8s.io/v1";
  private static final String KIND = "ValidatingWebhookConfiguration";
  private static final String ANNOTATIONS = "oldObject.metadata.annotations";
  private static final String NOT_SKIPPED =
      "!(has(%1$s) && '%2$s' in %1$s && %1$s['%2$s'] == 'true')"
          .formatted(ANNOTATIONS, DependencyRule.SKIP_PROTECTION);

  private GuardShape() {}

  static KubeObject configuration(List<Object> webhooks) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("apiVersion", API_VERSION);
    tree.put("kind", KIND);
    tree.put("metadata", Map.of("name", GuardSettings.CONFIGURATION));
    tree.put("webhooks", webhooks);
    return KubeObject.of(tree);
  }

  /** One entry, with one rule for each resource, in order. */
  static List<Object> webhooks(
      GuardSettings settings, LogicalCluster provider, SortedSet<GroupResource> resources) {
    var client = new LinkedHashMap<String, Object>();
    client.put("url", url(settings, provider));
    if (!settings.caBundle().isEmpty()) {
      client.put("caBundle", settings.caBundle());
    }
    var entry = new LinkedHashMap<String, Object>();
    entry.put("name", ENTRY);
    entry.put("clientConfig", client);
    entry.put("rules", resources.stream().map(GuardShape::rule).toList());
    entry.put("failurePolicy", settings.failurePolicy().value());
    entry.put("matchPolicy", "Equivalent");
    entry.put("namespaceSelector", Map.of());
    entry.put("objectSelector", Map.of());
    entry.put("sideEffects", "None");
    entry.put("timeoutSeconds", settings.timeout().toSeconds());
    entry.put("admissionReviewVersions", List.of("v1"));
    switch (settings.bypass()) {
      case ANNOTATION ->
          entry.put(
              "matchConditions", List.of(Map.of("name", "not-skipped", "expression", NOT_SKIPPED)));
      case WEBHOOK -> {}
    }
    return Trees.listOrEmpty(Trees.freeze(List.of(entry)));
  }

  /** What a configuration protects now, whoever wrote it. */
  static SortedSet<GroupResource> protectedBy(KubeObject configuration) {
    var resources = new TreeSet<GroupResource>();
    for (Object webhook : configuration.list("webhooks")) {
      for (Object rule : Trees.listOrEmpty(Trees.at(webhook, "rules"))) {
        addResources(rule, resources);
      }
    }
    return resources;
  }

  private static void addResources(Object rule, Collection<GroupResource> resources) {
    for (Object group : Trees.listOrEmpty(Trees.at(rule, "apiGroups"))) {
      for (Object resource : Trees.listOrEmpty(Trees.at(rule, "resources"))) {
        if (group instanceof String g && resource instanceof String r && !r.isEmpty()) {
          resources.add(new GroupResource(g, r));
        }
      }
    }
  }

  /** All versions: an object can be deleted through any of them. */
  private static Map<String, Object> rule(GroupResource resource) {
    return Map.of(
        "apiGroups", List.of(resource.group()),
        "apiVersions", List.of("*"),
        "operations", List.of("DELETE"),
        "resources", List.of(resource.resource()),
        "scope", "*");
  }

  /** API servers refuse query parameters in a webhook's URL, so the provider is a path segment. */
  private static String url(GuardSettings settings, LogicalCluster provider) {
    String separator = settings.url().endsWith("/") ? "" : "/";
    return settings.url() + separator + provider.name();
  }
}
