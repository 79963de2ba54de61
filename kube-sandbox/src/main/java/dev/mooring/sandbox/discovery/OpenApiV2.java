package dev.mooring.sandbox.discovery;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * OpenAPI v2: the kinds with their schemas, as far as this version of OpenAPI can say it. Go's
 * discovery client reads it as protobuf. Source of what is left out: {@code ToStructuralOpenAPIV2}
 * of apiextensions-apiserver.
 */
final class OpenApiV2 {
  static final String PROTOBUF_TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  private static final String COMPONENTS = "#/components/schemas/";
  private static final String DEFINITIONS = "#/definitions/";
  private static final String REFERENCE = "$ref";
  private static final String PRESERVES = "x-kubernetes-preserve-unknown-fields";
  private static final Set<String> UNKNOWN = Set.of("oneOf", "anyOf", "not", "allOf", "nullable");

  private OpenApiV2() {}

  /** Whether a client wants what only Go programs read: what it accepts first decides. */
  static boolean wantsProtobuf(String accept) {
    String first = accept.split(",", 2)[0].strip();
    return first.equals(PROTOBUF_TYPE)
        || first.equals("application/com.github.proto-openapi.spec.v2@v1.0+protobuf");
  }

  static Map<String, Object> document(List<ResourceDefinition> served) {
    var groups = new ServedGroups(served);
    var paths = new TreeMap<String, Object>();
    var definitions = new TreeMap<String, Object>();
    for (String group : groups.all()) {
      for (String version : groups.versions(group)) {
        List<ResourceDefinition> resources = groups.resources(group, version);
        resources.forEach(definition -> OpenApiPaths.add(definition, paths));
        OpenApiV3.components(resources)
            .forEach((name, schema) -> definitions.computeIfAbsent(name, _ -> converted(schema)));
      }
    }
    paths.replaceAll((_, operations) -> withPlainParameters(operations));
    return Trees.ordered(
        "swagger", "2.0", "info", OpenApiV3.INFO, "paths", paths, "definitions", definitions);
  }

  /** Parameters of version 2 have no schema of their own: they are one. */
  private static Object withPlainParameters(Object operations) {
    var changed = new LinkedHashMap<>(Trees.mapOrEmpty(operations));
    changed.replaceAll((_, operation) -> {
      var with = new LinkedHashMap<>(Trees.mapOrEmpty(operation));
      with.computeIfPresent(
          "parameters",
          (_, parameters) ->
              Trees.listOrEmpty(parameters).stream()
                  .map(parameter -> {
                    var plain = new LinkedHashMap<>(Trees.mapOrEmpty(parameter));
                    plain.putAll(Trees.mapOrEmpty(plain.remove("schema")));
                    return plain;
                  })
                  .toList());
      return with;
    });
    return changed;
  }

  /** A schema of version 3 in terms of version 2. */
  private static Map<String, Object> converted(@Nullable Object given) {
    Map<String, Object> schema = Trees.mapOrEmpty(given);
    if (reference(schema) instanceof String reference) {
      var converted = new LinkedHashMap<String, Object>();
      converted.computeIfAbsent("description", schema::get);
      converted.put(REFERENCE, reference);
      return converted;
    }
    if ("int-or-string".equals(schema.get("format"))) {
      return Trees.ordered("type", "string", "format", "int-or-string");
    }
    var converted = new LinkedHashMap<String, Object>();
    schema.forEach((keyword, value) -> {
      if (!UNKNOWN.contains(keyword)) {
        converted.put(keyword, convertedValue(keyword, value));
      }
    });
    if (schema.get("oneOf") instanceof List<?> && !schema.containsKey("type")) {
      converted.put("type", "string");
    }
    boolean nullable = Boolean.TRUE.equals(schema.get("nullable"));
    boolean open = Boolean.TRUE.equals(schema.get(PRESERVES));
    if (nullable || open) {
      converted.remove("items");
      converted.remove("properties");
    }
    boolean shapeless =
        nullable
            || "array".equals(converted.get("type")) && !converted.containsKey("items")
            || open && "object".equals(converted.get("type"));
    if (shapeless && !schema.containsKey("x-kubernetes-group-version-kind")) {
      converted.remove("type");
    }
    return converted;
  }

  private static @Nullable String reference(Map<String, Object> schema) {
    Object target = schema.get(REFERENCE);
    if (target == null && schema.get("allOf") instanceof List<?> all && all.size() == 1) {
      target = Trees.at(all.getFirst(), REFERENCE);
    }
    return target instanceof String text ? text.replace(COMPONENTS, DEFINITIONS) : null;
  }

  private static Object convertedValue(String keyword, Object value) {
    return switch (keyword) {
      case "properties" -> {
        var properties = new LinkedHashMap<>(Trees.mapOrEmpty(value));
        properties.replaceAll((_, property) -> converted(property));
        yield properties;
      }
      case "items" -> converted(value);
      case "additionalProperties" -> value instanceof Map<?, ?> ? converted(value) : value;
      default -> value;
    };
  }
}
