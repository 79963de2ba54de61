package dev.mooring.cli.demo;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the smallest object that a CRD's schema asks for: required fields only, each with its
 * default, its first enum value, or a plain value within its bounds. A pattern or a rule in CEL may
 * still reject it; then the user has to bring an object.
 */
final class SampleObject {
  private static final int DEPTH_MAX = 20;

  private SampleObject() {}

  /** The version that the CRD stores, or else its first served one. */
  static Map<String, Object> version(KubeObject crd) {
    List<Map<String, Object>> served =
        crd.list("spec", "versions").stream()
            .map(Trees::mapOrEmpty)
            .filter(version -> Boolean.TRUE.equals(version.get("served")))
            .toList();
    return served.stream()
        .filter(version -> Boolean.TRUE.equals(version.get("storage")))
        .findFirst()
        .or(() -> served.stream().findFirst())
        .orElseThrow(() -> new HarnessFailure("The CRD " + crd.name() + " serves no version."));
  }

  /** Of the CRD's {@link #version}. */
  static ResourceType type(KubeObject crd) {
    return new ResourceType(
        crd.text("spec", "group"),
        Trees.textOrEmpty(version(crd).get("name")),
        crd.text("spec", "names", "plural"));
  }

  /** An object of the CRD's {@link #type}; in namespace {@code default} if it has namespaces. */
  static KubeObject of(KubeObject crd) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", "sample");
    if (crd.text("spec", "scope").equals("Namespaced")) {
      metadata.put("namespace", "default");
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("apiVersion", type(crd).apiVersion());
    object.put("kind", crd.text("spec", "names", "kind"));
    object.put("metadata", metadata);
    Map<String, Object> schema = Trees.map(version(crd), "schema", "openAPIV3Schema");
    Map<String, Object> content = Trees.mapOrEmpty(required(schema, 0));
    content.forEach((field, value) -> {
      if (!field.equals("status")) {
        object.putIfAbsent(field, value);
      }
    });
    Object spec = Trees.at(schema, "properties", "spec");
    if (spec != null) {
      // Nearly every type has a spec, even where its schema forgets to require it.
      object.putIfAbsent("spec", value(spec, 0));
    }
    return KubeObject.of(object);
  }

  private static Object value(@Nullable Object node, int depth) {
    Map<String, Object> schema = Trees.mapOrEmpty(node);
    if (schema.get("default") != null) {
      return schema.get("default");
    }
    List<Object> allowed = Trees.list(schema, "enum");
    if (!allowed.isEmpty()) {
      return allowed.getFirst();
    }
    if (Boolean.TRUE.equals(schema.get("x-kubernetes-int-or-string"))) {
      return 1L;
    }
    if (depth > DEPTH_MAX) {
      throw new HarnessFailure(
          "The CRD's required fields nest deeper than " + DEPTH_MAX + " levels.");
    }
    return switch (Trees.text(schema, "type")) {
      case "object" -> required(schema, depth);
      case "array" -> items(schema, depth);
      case "string" -> text(schema);
      case "integer" -> schema.get("minimum") instanceof Long least ? least : 1L;
      case "number" -> schema.get("minimum") instanceof Number least ? least : 1L;
      case "boolean" -> false;
      default -> Map.of();
    };
  }

  private static Map<String, Object> required(Map<String, Object> schema, int depth) {
    Map<String, Object> fields = new LinkedHashMap<>();
    List<Object> names = new ArrayList<>(Trees.list(schema, "required"));
    // Of alternatives the first will do.
    for (String choice : List.of("oneOf", "anyOf")) {
      Trees.listOrEmpty(schema.get(choice)).stream()
          .findFirst()
          .ifPresent(first -> names.addAll(Trees.list(first, "required")));
    }
    for (Object name : names) {
      fields.put((String) name, value(Trees.at(schema, "properties", (String) name), depth + 1));
    }
    return fields;
  }

  private static List<Object> items(Map<String, Object> schema, int depth) {
    long count = schema.get("minItems") instanceof Long least ? least : 0;
    List<Object> items = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      items.add(value(schema.get("items"), depth + 1));
    }
    return items;
  }

  private static String text(Map<String, Object> schema) {
    String plain =
        switch (Trees.text(schema, "format")) {
          case "date-time" -> "2030-01-01T00:00:00Z";
          case "date" -> "2030-01-01";
          case "byte" -> "c2FtcGxl";
          case "ipv4" -> "192.0.2.1";
          case "uri" -> "https://example.org/";
          case "duration" -> "1h";
          default -> "sample";
        };
    long least = schema.get("minLength") instanceof Long length ? length : 0;
    long most = schema.get("maxLength") instanceof Long length ? length : Long.MAX_VALUE;
    if (plain.length() < least) {
      return "s".repeat(Math.toIntExact(least));
    }
    return plain.length() > most ? plain.substring(0, Math.toIntExact(most)) : plain;
  }
}
