package dev.mooring.sandbox.discovery;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.ResourceDefinition;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * OpenAPI v3: an index, and a document for each version of each group with what clients look for
 * there, the schemas of kinds and whether writes validate fields.
 */
final class OpenApiV3 {
  private static final String METADATA = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  private OpenApiV3() {}

  /**
   * Paths of all documents. Their hashes change when a definition does, so that clients may cache.
   */
  static Map<String, Object> index(ServedGroups groups) {
    var paths = new LinkedHashMap<String, Object>();
    groups.versions("").forEach(version -> put(paths, groups, "api/" + version, "", version));
    for (String group : groups.names()) {
      for (String version : groups.versions(group)) {
        put(paths, groups, "apis/" + group + "/" + version, group, version);
      }
    }
    return Map.of("paths", paths);
  }

  private static void put(
      Map<String, Object> paths, ServedGroups groups, String path, String group, String version) {
    String hash = hash(groups.resources(group, version));
    paths.put(path, Map.of("serverRelativeURL", "/openapi/v3/" + path + "?hash=" + hash));
  }

  /** Definitions are made anew whenever they change; identity is cheaper than their content. */
  static String hash(List<ResourceDefinition> definitions) {
    var identity = new StringBuilder();
    for (ResourceDefinition definition : definitions) {
      identity
          .append(definition.type())
          .append(definition.kind())
          .append(System.identityHashCode(definition.schema()))
          .append('\n');
    }
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-512")
              .digest(identity.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().withUpperCase().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-512", e);
    }
  }

  /** The document of one version; its definitions must not be empty. */
  static byte[] document(List<ResourceDefinition> definitions) {
    var paths = new LinkedHashMap<String, Object>();
    var schemas = new LinkedHashMap<String, Object>();
    definitions.forEach(definition -> {
      OpenApiPaths.add(definition, paths);
      String name = schemaName(definition);
      schemas.put(name, kind(definition));
      schemas.put(name + "List", list(definition, name));
    });
    schemas.putAll(MetadataSchemas.ALL);
    var document = new LinkedHashMap<String, Object>();
    document.put("openapi", "3.0.0");
    document.put("info", Map.of("title", "Kubernetes", "version", "v1.36.0"));
    document.put("paths", paths);
    document.put("components", Map.of("schemas", schemas));
    return KubeJson.write(document);
  }

  /** {@code io.example.wire.v1.Widget}: the group backwards, version and kind. */
  static String schemaName(ResourceDefinition definition) {
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

  private static Map<String, Object> kind(ResourceDefinition definition) {
    var schema = new LinkedHashMap<String, Object>(definition.schema());
    schema.putIfAbsent("type", "object");
    var properties = new LinkedHashMap<>(MetadataSchemas.TYPE);
    properties.put("metadata", reference("ObjectMeta"));
    Trees.mapOrEmpty(schema.get("properties")).forEach(properties::putIfAbsent);
    schema.put("properties", properties);
    if (definition.schema().isEmpty()) {
      schema.put("x-kubernetes-preserve-unknown-fields", true);
    }
    schema.put("x-kubernetes-group-version-kind", List.of(identity(definition, "")));
    return schema;
  }

  private static Map<String, Object> list(ResourceDefinition definition, String itemName) {
    var properties = new LinkedHashMap<>(MetadataSchemas.TYPE);
    properties.put("metadata", reference("ListMeta"));
    properties.put(
        "items",
        Map.of("type", "array", "items", Map.of("$ref", "#/components/schemas/" + itemName)));
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

  private static Map<String, Object> reference(String name) {
    return Map.of(
        "description",
        "Standard metadata.",
        "allOf",
        List.of(Map.of("$ref", "#/components/schemas/" + METADATA + name)));
  }

  /** Schemas that all documents share. */
  private static final class MetadataSchemas {
    private static final Map<String, Object> TEXT = Map.of("type", "string");
    private static final Map<String, Object> TEXTS =
        Map.of("type", "object", "additionalProperties", TEXT);

    private static final Map<String, Object> TYPE =
        ordered(
            "apiVersion",
            Map.of(
                "type",
                "string",
                "description",
                "The versioned schema of this representation of an object."),
            "kind",
            Map.of("type", "string", "description", "The kind of object that this is."));

    private static final Map<String, Object> ALL =
        ordered(
            METADATA + "ObjectMeta",
            object(
                ordered(
                    "annotations", TEXTS,
                    "creationTimestamp", time(),
                    "deletionGracePeriodSeconds", Map.of("type", "integer", "format", "int64"),
                    "deletionTimestamp", time(),
                    "finalizers",
                        ordered(
                            "type", "array",
                            "items", TEXT,
                            "x-kubernetes-list-type", "set",
                            "x-kubernetes-patch-strategy", "merge"),
                    "generateName", TEXT,
                    "generation", Map.of("type", "integer", "format", "int64"),
                    "labels", TEXTS,
                    "managedFields",
                        ordered(
                            "type", "array",
                            "items", object(ordered("manager", TEXT, "operation", TEXT)),
                            "x-kubernetes-list-type", "atomic"),
                    "name", TEXT,
                    "namespace", TEXT,
                    "ownerReferences",
                        ordered(
                            "type", "array",
                            "items",
                                object(
                                    ordered(
                                        "apiVersion", TEXT,
                                        "kind", TEXT,
                                        "name", TEXT,
                                        "uid", TEXT,
                                        "controller", Map.of("type", "boolean"),
                                        "blockOwnerDeletion", Map.of("type", "boolean"))),
                            "x-kubernetes-list-map-keys", List.of("uid"),
                            "x-kubernetes-list-type", "map",
                            "x-kubernetes-patch-merge-key", "uid",
                            "x-kubernetes-patch-strategy", "merge"),
                    "resourceVersion", TEXT,
                    "selfLink", TEXT,
                    "uid", TEXT)),
            METADATA + "ListMeta",
            object(
                ordered(
                    "continue", TEXT,
                    "remainingItemCount", Map.of("type", "integer", "format", "int64"),
                    "resourceVersion", TEXT,
                    "selfLink", TEXT)));

    private static Map<String, Object> time() {
      return Map.of("type", "string", "format", "date-time");
    }

    private static Map<String, Object> object(Map<String, Object> properties) {
      return ordered("type", "object", "properties", properties);
    }

    private static Map<String, Object> ordered(Object... keysAndValues) {
      var map = new LinkedHashMap<String, Object>();
      for (int i = 0; i < keysAndValues.length; i += 2) {
        map.put((String) keysAndValues[i], keysAndValues[i + 1]);
      }
      return Collections.unmodifiableMap(map);
    }
  }
}
