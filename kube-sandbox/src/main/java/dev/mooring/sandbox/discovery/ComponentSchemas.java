package dev.mooring.sandbox.discovery;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.TypedSchema;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.fields.FieldSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The {@code components.schemas} of one OpenAPI v3 document. Schemas of built-in resources are
 * split as Kubernetes splits them, one component for each Go struct with references between them;
 * those of custom resources stay whole. One document, one use.
 */
final class ComponentSchemas {
  private static final String OWN = "x-mooring-";
  private static final String MAP_TYPE = "x-kubernetes-map-type";

  private static final String ROOT = "#/components/schemas/";
  private static final String QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";
  private static final String INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
  private static final Map<String, Object> TEXT_OR_NUMBER =
      Map.of("oneOf", List.of(Map.of("type", "string"), Map.of("type", "number")));
  private static final Map<String, Object> TEXT_OR_INTEGER =
      Trees.ordered(
          "format",
          "int-or-string",
          "oneOf",
          List.of(Map.of("type", "integer"), Map.of("type", "string")));
  private static final Map<String, Object> MICRO_TIME =
      Trees.ordered("type", "string", "format", "date-time");

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  /** Those of {@code meta/v1}, which every kind refers to. */
  private static final Map<String, Object> METADATA =
      Trees.mapOrEmpty(
          YamlText.resource(ComponentSchemas.class, "metadata-schemas.yaml").get("components"));

  private static final String METADATA_PAGE =
      "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

  private final Map<String, Object> components = new TreeMap<>(METADATA);

  /** With their descriptions. */
  Map<String, Object> all() {
    var all = new TreeMap<String, Object>();
    components.forEach((name, schema) ->
        all.put(name, TypeDescriptions.described(name, Trees.mapOrEmpty(schema))));
    return all;
  }

  void put(String name, Map<String, Object> schema) {
    components.put(name, schema);
  }

  /** Whether the schema says how Go reads and writes it. */
  static boolean typed(Map<String, Object> schema) {
    return schema.containsKey(TypedSchema.STRUCT);
  }

  /**
   * The schema without what is ours alone. Structs that it contains become components.
   *
   * @param schema of a struct
   */
  Map<String, Object> published(Map<String, Object> schema) {
    var properties = new TreeMap<String, Object>();
    var required = new ArrayList<String>();
    Trees.mapOrEmpty(schema.get("properties"))
        .forEach((field, declared) -> {
          Map<String, Object> type = Trees.mapOrEmpty(declared);
          properties.put(field, property(type));
          if (required(type)) {
            required.add(field);
          }
        });
    var published = new LinkedHashMap<String, Object>();
    published.put("type", "object");
    if (!required.isEmpty()) {
      required.sort(String::compareTo);
      published.put("required", required);
    }
    if (!properties.isEmpty()) {
      published.put("properties", properties);
    }
    if (schema.containsKey(MAP_TYPE)) {
      published.put(MAP_TYPE, schema.get(MAP_TYPE));
    }
    return published;
  }

  /** Without the sandbox's own keywords, and without keywords that have no value. */
  static Object unmarked(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        var kept = new LinkedHashMap<Object, Object>();
        map.forEach((keyword, item) -> {
          if (item != null && !String.valueOf(keyword).startsWith(OWN)) {
            kept.put(keyword, unmarked(item));
          }
        });
        yield kept;
      }
      case List<?> list ->
          list.stream().filter(Objects::nonNull).map(ComponentSchemas::unmarked).toList();
      default -> value;
    };
  }

  private static boolean required(Map<String, Object> type) {
    return typed(type)
        ? type.containsKey(TypedSchema.REQUIRED)
        : type.containsKey(TypedSchema.ZERO) && !type.containsKey(TypedSchema.OPTIONAL);
  }

  private Map<String, Object> property(Map<String, Object> type) {
    var property = new LinkedHashMap<String, Object>();
    if (typed(type)) {
      if (type.containsKey(FieldSchema.ALWAYS_PRESENT)) {
        property.put("default", Map.of());
      }
      property.put("allOf", List.of(struct(type)));
      return property;
    }
    switch (Trees.textOrEmpty(type.get(TypedSchema.GO_TYPE))) {
      case "time" -> property.put("allOf", List.of(reference(META + "Time")));
      case "microtime" -> property.put("allOf", List.of(shared(META + "MicroTime", MICRO_TIME)));
      case "quantity" -> property.put("allOf", List.of(shared(QUANTITY, TEXT_OR_NUMBER)));
      case "intstr" -> property.put("allOf", List.of(shared(INT_OR_STRING, TEXT_OR_INTEGER)));
      default -> plain(type, property);
    }
    return property;
  }

  private void plain(Map<String, Object> type, Map<String, Object> property) {
    type.forEach((keyword, value) -> {
      switch (keyword) {
        case "items", "additionalProperties" ->
            property.put(keyword, element(Trees.mapOrEmpty(value)));
        default -> {
          if (!keyword.startsWith(OWN)) {
            property.put(keyword, value);
          }
        }
      }
    });
    if ("array".equals(type.get("type"))
        && !type.containsKey("x-kubernetes-list-type")
        && !type.containsKey("x-kubernetes-patch-strategy")) {
      property.put("x-kubernetes-list-type", "atomic");
    }
    Object zero = type.get(TypedSchema.ZERO);
    if (zero != null) {
      property.put("default", zero);
    }
  }

  /** Elements are there, if only with their zero values. */
  private Map<String, Object> element(Map<String, Object> type) {
    String goType = Trees.textOrEmpty(type.get(TypedSchema.GO_TYPE));
    if (goType.equals("quantity")) {
      return shared(QUANTITY, TEXT_OR_NUMBER);
    }
    Map<String, Object> element = property(type);
    if (typed(type)) {
      element.put("default", Map.of());
    } else if (goType.equals("string")) {
      element.put("default", "");
    }
    return element;
  }

  private Map<String, Object> struct(Map<String, Object> type) {
    String name =
        Trees.textOrEmpty(type.get(TypedSchema.PACKAGE))
            + "."
            + Trees.textOrEmpty(type.get(TypedSchema.STRUCT));
    if (!components.containsKey(name)) {
      // Reserved first: a struct may contain others that were not met yet.
      components.put(name, Map.of());
      components.put(name, published(type));
    }
    return reference(name);
  }

  private Map<String, Object> shared(String name, Map<String, Object> schema) {
    components.putIfAbsent(name, schema);
    return reference(name);
  }

  static Map<String, Object> reference(String name) {
    return Map.of("$ref", ROOT + name);
  }

  /**
   * The properties of every kind, in the same order in each JVM.
   *
   * @param metadata {@code ObjectMeta}, or {@code ListMeta} of lists
   */
  static LinkedHashMap<String, Object> ofEveryKind(String metadata) {
    return Trees.ordered(
        "apiVersion", typeField("apiVersion"),
        "kind", typeField("kind"),
        "metadata",
            Trees.ordered(
                "description", "Standard object's metadata. More info: " + METADATA_PAGE,
                "default", Map.of(),
                "allOf", List.of(reference(META + metadata))));
  }

  private static Map<String, Object> typeField(String name) {
    return Trees.ordered("description", TypeDescriptions.ofEveryType(name), "type", "string");
  }
}
