package dev.mooring.sandbox.discovery;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.registry.TypedSchema;
import dev.mooring.sandbox.api.request.ApiView.VerbOrder;
import dev.mooring.sandbox.discovery.OpenApiCache.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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
      Trees.ordered(
          "title",
          "Kubernetes",
          "version",
          "v" + VersionDocument.MAJOR + "." + VersionDocument.MINOR + ".0");

  private OpenApiV3() {}

  /** Paths of all documents, with the hashes of what they hold, so that clients may cache. */
  static Map<String, Object> index(ServedGroups groups, VerbOrder order, OpenApiCache cache) {
    var paths = new LinkedHashMap<String, Object>();
    groups
        .versions("")
        .forEach(version ->
            put(paths, "api/" + version, document(groups.resources("", version), cache)));
    for (String group : groups.names()) {
      for (String version : groups.versions(group)) {
        put(
            paths,
            "apis/" + group + "/" + version,
            document(groups.resources(group, version), cache));
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
      boolean builtIn =
          groups.versions(group).stream()
              .flatMap(version -> groups.resources(group, version).stream())
              .anyMatch(definition -> definition.origin() == Origin.BUILT_IN);
      if (builtIn || order == VerbOrder.BY_NAME) {
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
    var parts = new ArrayList<String>();
    String group = definition.type().group();
    if (group.isEmpty()) {
      parts.addAll(List.of("io", "k8s", "api", "core"));
    } else {
      parts.addAll(Arrays.asList(group.split("\\.")));
      Collections.reverse(parts);
    }
    parts.add(definition.type().version());
    parts.add(definition.kind());
    return String.join(".", parts);
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
    var properties = new LinkedHashMap<>(MetadataSchemas.TYPE);
    properties.put("metadata", MetadataSchemas.metadata("ObjectMeta"));
    Trees.mapOrEmpty(schema.get("properties")).forEach(properties::putIfAbsent);
    schema.put("properties", properties);
    if (given.isEmpty()) {
      schema.put("x-kubernetes-preserve-unknown-fields", true);
    }
    schema.put("x-kubernetes-group-version-kind", List.of(identity(definition, "")));
    return schema;
  }

  private static Map<String, Object> list(ResourceDefinition definition, String itemName) {
    var properties = new LinkedHashMap<>(MetadataSchemas.TYPE);
    properties.put("metadata", MetadataSchemas.metadata("ListMeta"));
    properties.put(
        "items",
        Trees.ordered(
            "type",
            "array",
            "items",
            Trees.ordered(
                "default", Map.of(), "allOf", List.of(ComponentSchemas.reference(itemName)))));
    var schema = new LinkedHashMap<String, Object>();
    schema.put("description", definition.names().listKind() + " is a list of " + definition.kind());
    schema.put("type", "object");
    schema.put("required", List.of("items"));
    schema.put("properties", properties);
    schema.put("x-kubernetes-group-version-kind", List.of(identity(definition, "List")));
    return schema;
  }

  static Map<String, Object> identity(ResourceDefinition definition, String suffix) {
    var identity = new LinkedHashMap<String, Object>();
    identity.put("group", definition.type().group());
    identity.put("kind", definition.kind() + suffix);
    identity.put("version", definition.type().version());
    return identity;
  }
}
