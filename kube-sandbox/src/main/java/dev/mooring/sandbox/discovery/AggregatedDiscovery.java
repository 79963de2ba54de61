package dev.mooring.sandbox.discovery;

import dev.mooring.sandbox.api.registry.ResourceDefinition;
import java.util.LinkedHashMap;
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
    List<Object> versions =
        groups.versions("").stream()
            .<Object>map(version -> version(version, groups.resources("", version)))
            .toList();
    var item = new LinkedHashMap<String, Object>();
    item.put("metadata", Map.of());
    item.put("versions", versions);
    var document = new LinkedHashMap<String, Object>();
    document.put("kind", "APIGroupDiscoveryList");
    document.put("apiVersion", "apidiscovery.k8s.io/v2");
    document.put("metadata", Map.of());
    document.put("items", List.of(item));
    return document;
  }

  private static Map<String, Object> version(String name, List<ResourceDefinition> resources) {
    var version = new LinkedHashMap<String, Object>();
    version.put("version", name);
    version.put("resources", resources.stream().map(AggregatedDiscovery::resource).toList());
    version.put("freshness", "Current");
    return version;
  }

  private static Map<String, Object> resource(ResourceDefinition definition) {
    var resource = new LinkedHashMap<String, Object>();
    resource.put("resource", definition.type().resource());
    resource.put("responseKind", kind("", "", definition.kind()));
    resource.put("scope", definition.namespaced() ? "Namespaced" : "Cluster");
    resource.put("singularResource", definition.names().singular());
    resource.put("verbs", ResourceLists.verbs(definition));
    if (!definition.names().shortNames().isEmpty()) {
      resource.put("shortNames", definition.names().shortNames());
    }
    if (!definition.names().categories().isEmpty()) {
      resource.put("categories", definition.names().categories());
    }
    if (!definition.subresources().isEmpty()) {
      resource.put(
          "subresources",
          definition.subresources().entrySet().stream()
              .map(entry -> {
                var responds = ResourceLists.ResponseKind.of(definition, entry.getValue());
                var subresource = new LinkedHashMap<String, Object>();
                subresource.put("subresource", entry.getKey());
                subresource.put(
                    "responseKind", kind(responds.group(), responds.version(), responds.kind()));
                subresource.put("verbs", ResourceLists.verbs(entry.getKey(), entry.getValue()));
                return subresource;
              })
              .toList());
    }
    return resource;
  }

  private static Map<String, Object> kind(String group, String version, String kind) {
    var responds = new LinkedHashMap<String, Object>();
    responds.put("group", group);
    responds.put("version", version);
    responds.put("kind", kind);
    return responds;
  }
}
