package dev.mooring.sandbox.discovery;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.discovery.ResourceLists.ResponseKind;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All versions and resources of the core group in one document, which kcp offers there alone. */
final class AggregatedDiscovery {
  static final String MEDIA_TYPE =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  private static final List<String> FORM =
      List.of("g=apidiscovery.k8s.io", "v=v2", "as=APIGroupDiscoveryList");

  private AggregatedDiscovery() {}

  /** Whether a client takes this form, even if it prefers another one. */
  static boolean wanted(String accept) {
    return Stream.of(accept.split(","))
        .map(clause -> List.of(clause.replace(" ", "").split(";")))
        .anyMatch(parts -> parts.containsAll(FORM));
  }

  static Map<String, Object> core(ServedGroups groups) {
    List<?> versions =
        groups.versions("").stream()
            .map(version ->
                Trees.ordered(
                    "version",
                    version,
                    "resources",
                    groups.resources("", version).stream()
                        .map(AggregatedDiscovery::resource)
                        .toList(),
                    "freshness",
                    "Current"))
            .toList();
    return Trees.ordered(
        "kind",
        "APIGroupDiscoveryList",
        "apiVersion",
        "apidiscovery.k8s.io/v2",
        "metadata",
        Map.of(),
        "items",
        List.of(Trees.ordered("metadata", Map.of(), "versions", versions)));
  }

  private static Map<String, Object> resource(ResourceDefinition definition) {
    var resource =
        Trees.ordered(
            "resource", definition.type().resource(),
            "responseKind", kind(new ResponseKind("", "", definition.kind())),
            "scope", definition.namespaced() ? "Namespaced" : "Cluster",
            "singularResource", definition.names().singular(),
            "verbs", ResourceLists.verbs(definition));
    ResourceLists.putNames(resource, definition.names());
    if (!definition.subresources().isEmpty()) {
      resource.put(
          "subresources",
          definition.subresources().entrySet().stream()
              .map(part ->
                  Trees.ordered(
                      "subresource", part.getKey(),
                      "responseKind", kind(ResponseKind.of(definition, part.getValue())),
                      "verbs", ResourceLists.verbs(part.getKey(), part.getValue())))
              .toList());
    }
    return resource;
  }

  private static Map<String, Object> kind(ResponseKind kind) {
    return Trees.ordered("group", kind.group(), "version", kind.version(), "kind", kind.kind());
  }
}
