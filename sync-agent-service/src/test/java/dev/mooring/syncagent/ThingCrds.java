package dev.mooring.syncagent;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** CRDs of kind Thing, each in an API group of its own. */
final class ThingCrds {
  private ThingCrds() {}

  /**
   * Namespaced, with {@code spec.size}, {@code spec.color} and the status subresource.
   *
   * @param versions of which the first is stored; one that begins with {@code !} is not served
   */
  static KubeObject things(String group, String... versions) {
    var entries = new ArrayList<Object>();
    for (String version : versions) {
      entries.add(version(version.replace("!", ""), !version.startsWith("!"), entries.isEmpty()));
    }
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "apiextensions.k8s.io/v1",
            "kind",
            "CustomResourceDefinition",
            "metadata",
            Map.of("name", "things." + group),
            "spec",
            Map.of(
                "group",
                group,
                "scope",
                "Namespaced",
                "names",
                Map.of(
                    "kind", "Thing",
                    "listKind", "ThingList",
                    "plural", "things",
                    "singular", "thing",
                    "shortNames", List.of("th")),
                "versions",
                entries)));
  }

  private static Object version(String name, boolean served, boolean storage) {
    Map<String, Object> spec =
        Map.of(
            "type",
            "object",
            "properties",
            Map.of("size", Map.of("type", "integer"), "color", Map.of("type", "string")));
    Map<String, Object> status =
        Map.of("type", "object", "properties", Map.of("phase", Map.of("type", "string")));
    return Map.of(
        "name", name,
        "served", served,
        "storage", storage,
        "subresources", Map.of("status", Map.of()),
        "schema",
            Map.of(
                "openAPIV3Schema",
                Map.of("type", "object", "properties", Map.of("spec", spec, "status", status))));
  }

  /** The merge patch that leaves only these fields of {@code spec}, all of them text, in v1. */
  static Map<String, Object> withFields(KubeObject crd, String... fields) {
    var properties = new LinkedHashMap<String, Object>();
    for (String field : fields) {
      properties.put(field, Map.of("type", "string"));
    }
    KubeObject first = KubeObject.of(Trees.mapOrEmpty(crd.list("spec", "versions").getFirst()));
    return Map.of(
        "spec",
        Map.of(
            "versions",
            List.of(
                first
                    .with(
                        properties, "schema", "openAPIV3Schema", "properties", "spec", "properties")
                    .tree())));
  }

  static ResourceType type(String group) {
    return new ResourceType(group, "v1", "things");
  }

  static KubeObject thing(String group, String name, Map<String, Object> spec) {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            group + "/v1",
            "kind",
            "Thing",
            "metadata",
            Map.of("namespace", "default", "name", name),
            "spec",
            spec));
  }
}
