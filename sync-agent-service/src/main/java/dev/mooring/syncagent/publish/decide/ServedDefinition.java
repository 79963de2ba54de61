package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.identity.KubeVersions;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A CustomResourceDefinition for a type that has none, such as a built-in one: put together from
 * discovery and OpenAPI v3. Every version is served, the preferred one is stored.
 */
public final class ServedDefinition {
  /**
   * What one version of a group was found to be.
   *
   * @param resources the APIResourceList
   * @param openApi the OpenAPI v3 document
   */
  public record ServedVersion(String version, KubeObject resources, KubeObject openApi) {}

  private ServedDefinition() {}

  /**
   * Empty if no version has the kind, with a model.
   *
   * @param preferred the group's preferred version
   */
  public static Optional<KubeObject> of(
      String group, String kind, String preferred, List<ServedVersion> found) {
    var versions = new ArrayList<Map<String, Object>>();
    Map<String, Object> resource = Map.of();
    for (ServedVersion served :
        found.stream()
            .sorted(Comparator.comparing(ServedVersion::version, KubeVersions.ASCENDING))
            .toList()) {
      Optional<Map<String, Object>> here = resource(served.resources(), kind);
      Optional<Map<String, Object>> schema =
          here.flatMap(_ -> OpenApiSchemas.of(served.openApi(), group, served.version(), kind));
      if (here.isPresent() && schema.isPresent()) {
        resource = here.get();
        versions.add(version(served, resource, schema.get()));
      }
    }
    if (versions.isEmpty()) {
      return Optional.empty();
    }
    store(versions, preferred);
    return Optional.of(definition(group, resource, versions));
  }

  private static Optional<Map<String, Object>> resource(KubeObject resources, String kind) {
    return resources.list("resources").stream()
        .map(Trees::mapOrEmpty)
        .filter(entry -> kind.equals(entry.get("kind")))
        .filter(entry -> !Trees.text(entry, "name").contains("/"))
        .findFirst();
  }

  private static Map<String, Object> version(
      ServedVersion served, Map<String, Object> resource, Map<String, Object> schema) {
    return Trees.ordered(
        "name", served.version(),
        "served", true,
        "storage", false,
        "schema", Map.of("openAPIV3Schema", schema),
        "subresources", subresources(served.resources(), resource));
  }

  private static Map<String, Object> subresources(
      KubeObject resources, Map<String, Object> resource) {
    var subresources = new LinkedHashMap<String, Object>();
    for (Object entry : resources.list("resources")) {
      Object name = Trees.at(entry, "name");
      if ((resource.get("name") + "/status").equals(name)) {
        subresources.put("status", Map.of());
      } else if ((resource.get("name") + "/scale").equals(name)) {
        subresources.put(
            "scale",
            Map.of("specReplicasPath", ".spec.replicas", "statusReplicasPath", ".status.replicas"));
      }
    }
    return subresources;
  }

  private static void store(List<Map<String, Object>> versions, String preferred) {
    Map<String, Object> stored =
        versions.stream()
            .filter(version -> preferred.equals(version.get("name")))
            .findFirst()
            .orElseGet(versions::getLast);
    stored.put("storage", true);
  }

  private static KubeObject definition(
      String group, Map<String, Object> resource, List<Map<String, Object>> versions) {
    String kind = Trees.text(resource, "kind");
    String plural = Trees.text(resource, "name");
    String singular = Trees.text(resource, "singularName");
    var names = new LinkedHashMap<String, Object>();
    names.put("kind", kind);
    names.put("listKind", kind + "List");
    names.put("plural", plural);
    names.put("singular", singular.isEmpty() ? kind.toLowerCase(Locale.ROOT) : singular);
    for (String list : List.of("shortNames", "categories")) {
      if (!Trees.listOrEmpty(resource.get(list)).isEmpty()) {
        names.put(list, resource.get(list));
      }
    }
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", plural + "." + (group.isEmpty() ? "core" : group)),
            "spec",
            Map.of(
                "group", group,
                "scope", Boolean.TRUE.equals(resource.get("namespaced")) ? "Namespaced" : "Cluster",
                "names", names,
                "versions", versions)));
  }
}
