package dev.mooring.sandbox.discovery;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.TypedSchema;
import dev.mooring.sandbox.api.request.ApiView.VerbOrder;
import dev.mooring.sandbox.discovery.OpenApiCache.Document;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * OpenAPI v3: an index, and a document for each version of each group with what clients look for
 * there, the schemas of kinds and whether writes validate fields.
 */
final class OpenApiV3 {
  static final Map<String, Object> INFO =
      Trees.ordered("title", "Kubernetes", "version", GroupDocuments.VERSION);

  private static final String[] CORE = {"core", "api", "k8s", "io"};

  private OpenApiV3() {}

  /** Paths of all documents, with the hashes of what they hold, so that clients may cache. */
  static Map<String, Object> index(ServedGroups groups, VerbOrder order, OpenApiCache cache) {
    var paths = new LinkedHashMap<String, Object>();
    for (String group : groups.all()) {
      for (String version : groups.versions(group)) {
        String path = group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
        put(paths, path, document(groups.resources(group, version), cache));
      }
    }
    for (String path : discoveryPaths(groups, order)) {
      put(paths, path, discoveryDocument(path));
    }
    return Map.of("paths", paths);
  }

  /** Paths of discovery that have a document: those of custom resources' groups have none. */
  static Set<String> discoveryPaths(ServedGroups groups, VerbOrder order) {
    var paths = new TreeSet<>(List.of("api", "apis", "version"));
    for (String group : groups.names()) {
      if (groups.builtIn(group) || order == VerbOrder.BY_NAME) {
        paths.add("apis/" + group);
      }
    }
    return paths;
  }

  /** Of one of {@link #discoveryPaths}. */
  static Document discoveryDocument(String path) {
    return Document.of(KubeJson.write(discoveryTree(path)));
  }

  static Map<String, Object> discoveryTree(String path) {
    var get =
        Trees.ordered(
            "tags", List.of(path.substring(path.indexOf('/') + 1)),
            "description", "get what is served at /" + path + "/",
            "responses",
                Trees.ordered(
                    "200", Map.of("description", "OK"),
                    "401", Map.of("description", "Unauthorized")));
    return document(Map.of("/" + path + "/", Map.of("get", get)));
  }

  private static Map<String, Object> document(Map<String, Object> paths) {
    return Trees.ordered("openapi", "3.0.0", "info", INFO, "paths", paths);
  }

  private static void put(Map<String, Object> paths, String path, Document document) {
    paths.put(
        path, Map.of("serverRelativeURL", "/openapi/v3/" + path + "?hash=" + document.hash()));
  }

  /** The document of one version; its definitions must not be empty. */
  static Document document(List<ResourceDefinition> definitions, OpenApiCache cache) {
    return cache.of("v3", definitions, () -> KubeJson.write(tree(definitions)));
  }

  static Map<String, Object> tree(List<ResourceDefinition> definitions) {
    var paths = new LinkedHashMap<String, Object>();
    definitions.forEach(definition -> OpenApiPaths.add(definition, paths));
    Map<String, Object> document = document(paths);
    document.put("components", Map.of("schemas", components(definitions)));
    return document;
  }

  /** The schemas of kinds, of their lists and of what those refer to, by their names. */
  static Map<String, Object> components(List<ResourceDefinition> definitions) {
    var schemas = new ComponentSchemas();
    definitions.forEach(definition -> {
      String name = schemaName(definition);
      schemas.put(name, kind(definition, schemas));
      if (definition.computed().isEmpty()) {
        schemas.put(name + "List", list(definition, name));
      }
    });
    return schemas.all();
  }

  /**
   * {@code io.k8s.api.core.v1.Secret} for a Go type, otherwise the group backwards, version and
   * kind: {@code io.example.wire.v1.Widget}.
   */
  static String schemaName(ResourceDefinition definition) {
    if (ComponentSchemas.typed(definition.schema())) {
      return definition.schema().get(TypedSchema.PACKAGE) + "." + definition.kind();
    }
    String group = definition.type().group();
    List<String> reversed = List.of(group.isEmpty() ? CORE : group.split("\\.")).reversed();
    return String.join(".", reversed) + "." + definition.type().version() + "." + definition.kind();
  }

  private static Map<String, Object> kind(
      ResourceDefinition definition, ComponentSchemas components) {
    Map<String, Object> given = definition.schema();
    var schema =
        new LinkedHashMap<String, Object>(
            ComponentSchemas.typed(given)
                ? components.published(given)
                : Trees.mapOrEmpty(ComponentSchemas.unmarked(given)));
    schema.putIfAbsent("type", "object");
    var properties = ComponentSchemas.ofEveryKind("ObjectMeta");
    Trees.mapOrEmpty(schema.get("properties")).forEach(properties::putIfAbsent);
    schema.put("properties", properties);
    if (given.isEmpty()) {
      schema.put("x-kubernetes-preserve-unknown-fields", true);
    }
    schema.put("x-kubernetes-group-version-kind", List.of(identity(definition, "")));
    return schema;
  }

  private static Map<String, Object> list(ResourceDefinition definition, String itemName) {
    Map<String, Object> item =
        Trees.ordered("default", Map.of(), "allOf", List.of(ComponentSchemas.reference(itemName)));
    var properties = ComponentSchemas.ofEveryKind("ListMeta");
    properties.put("items", Trees.ordered("type", "array", "items", item));
    return Trees.ordered(
        "description",
        definition.names().listKind() + " is a list of " + definition.kind(),
        "type",
        "object",
        "required",
        List.of("items"),
        "properties",
        properties,
        "x-kubernetes-group-version-kind",
        List.of(identity(definition, "List")));
  }

  static Map<String, Object> identity(ResourceDefinition definition, String suffix) {
    return Trees.ordered(
        "group", definition.type().group(),
        "kind", definition.kind() + suffix,
        "version", definition.type().version());
  }
}
