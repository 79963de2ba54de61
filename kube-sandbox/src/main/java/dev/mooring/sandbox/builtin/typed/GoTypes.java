package dev.mooring.sandbox.builtin.typed;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.TypedSchema;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.fields.FieldSchema;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The Go types of the built-in resources as OpenAPI schemas, from the notation of {@code
 * types.yaml}. In addition to Kubernetes' own extensions a schema says what Go's JSON encoding
 * does, with the extensions of {@link TypedSchema} and {@link FieldSchema#ALWAYS_PRESENT}.
 */
public final class GoTypes {
  private static final String DIRECTORY = "/dev/mooring/sandbox/builtin/";
  private static final String PACKAGES = "packages";
  private static final String ATOMIC = "atomic";

  private final Map<String, Object> notation = new HashMap<>();
  private final Map<String, String> packages = new HashMap<>();
  private final Set<String> atomic = new HashSet<>();
  private final Set<String> open = new HashSet<>();

  private GoTypes() {}

  /** The types of what every server serves. */
  public static GoTypes load() {
    var types = new GoTypes();
    types.read("types.yaml");
    return types;
  }

  /** Those and the types of what only plain Kubernetes serves. */
  public static GoTypes loadWithWorkloads() {
    GoTypes types = load();
    types.read("workload-types.yaml");
    return types;
  }

  /** The types of CustomResourceDefinitions alone. */
  public static GoTypes loadDefinitions() {
    var types = new GoTypes();
    types.read("crd-types.yaml");
    return types;
  }

  private void read(String file) {
    Map<String, Object> structs =
        new LinkedHashMap<>(YamlText.resource(GoTypes.class, DIRECTORY + file));
    Trees.mapOrEmpty(structs.remove(PACKAGES))
        .forEach((name, members) ->
            Trees.listOrEmpty(members)
                .forEach(struct -> packages.put(Trees.textOrEmpty(struct), name)));
    Trees.texts(structs.remove(ATOMIC)).forEach(atomic::add);
    notation.putAll(structs);
  }

  /** The schema of a resource's objects, without metadata. */
  public Map<String, Object> schema(String name) {
    var schema = new LinkedHashMap<>(struct(name));
    schema.remove(FieldSchema.ALWAYS_PRESENT);
    return Trees.freezeMap(schema);
  }

  private Map<String, Object> struct(String name) {
    Object fields = notation.get(name);
    if (!(fields instanceof Map<?, ?>)) {
      throw new IllegalStateException("no type is called " + name);
    }
    var schema = new LinkedHashMap<String, Object>();
    schema.put("type", "object");
    // Inside itself a struct is a name without fields.
    if (open.add(name)) {
      var properties = new LinkedHashMap<String, Object>();
      Trees.mapOrEmpty(fields)
          .forEach((field, type) -> properties.put(field, field(Trees.textOrEmpty(type))));
      schema.put("properties", properties);
      open.remove(name);
    }
    if (atomic.contains(name)) {
      schema.put("x-kubernetes-map-type", "atomic");
    }
    schema.put(TypedSchema.STRUCT, name.substring(name.indexOf('/') + 1));
    schema.put(TypedSchema.PACKAGE, packages.getOrDefault(name, ""));
    return schema;
  }

  private Map<String, Object> field(String notated) {
    List<String> words = Arrays.asList(notated.split(" "));
    Map<String, Object> schema = type(words.getFirst());
    for (String word : words.subList(1, words.size())) {
      if (word.equals("!")) {
        boolean isStruct = schema.containsKey(TypedSchema.STRUCT);
        schema.put(
            isStruct ? TypedSchema.REQUIRED : TypedSchema.ZERO, isStruct ? true : zero(schema));
      } else if (word.equals("opt")) {
        schema.put(TypedSchema.OPTIONAL, true);
      } else if (word.equals("set")) {
        schema.put("x-kubernetes-list-type", "set");
      } else if (word.startsWith("key=") || word.startsWith("map=")) {
        List<String> keys = Arrays.asList(word.substring(4).split(","));
        schema.put("x-kubernetes-list-type", "map");
        schema.put("x-kubernetes-list-map-keys", keys);
        if (word.startsWith("key=")) {
          merges(schema, keys.getFirst());
        }
      } else if (word.startsWith("patch=")) {
        merges(schema, word.substring(6));
      } else {
        throw new IllegalStateException("a field's type says \"" + notated + "\"");
      }
    }
    return schema;
  }

  private static void merges(Map<String, Object> schema, String key) {
    schema.put("x-kubernetes-patch-strategy", "merge");
    schema.put("x-kubernetes-patch-merge-key", key);
  }

  private Map<String, Object> type(String word) {
    if (word.startsWith("[]")) {
      return Trees.ordered("type", "array", "items", type(word.substring(2)));
    }
    if (word.startsWith("{}")) {
      return Trees.ordered("type", "object", "additionalProperties", type(word.substring(2)));
    }
    if (Character.isUpperCase(word.charAt(0)) || word.contains("/")) {
      boolean pointer = word.endsWith("?");
      Map<String, Object> struct = struct(pointer ? word.substring(0, word.length() - 1) : word);
      if (!pointer) {
        struct.put(FieldSchema.ALWAYS_PRESENT, true);
        struct.put(TypedSchema.ZERO, Map.of());
      }
      return struct;
    }
    Map<String, Object> schema = scalar(word);
    schema.put(TypedSchema.GO_TYPE, word);
    return schema;
  }

  private static Map<String, Object> scalar(String word) {
    return switch (word) {
      case "string", "string?", "quantity" -> Trees.ordered("type", "string");
      case "bool", "flag" -> Trees.ordered("type", "boolean");
      case "double" -> Trees.ordered("type", "number", "format", word);
      case "int32", "int64" -> Trees.ordered("type", "integer", "format", word);
      case "bytes" -> Trees.ordered("type", "string", "format", "byte");
      case "time", "microtime" -> Trees.ordered("type", "string", "format", "date-time");
      case "intstr" -> Trees.ordered("x-kubernetes-int-or-string", true);
      case "any", "schema-or-list", "schema-or-bool" ->
          Trees.ordered("x-kubernetes-preserve-unknown-fields", true);
      default -> throw new IllegalStateException("there is no type " + word);
    };
  }

  private static @Nullable Object zero(Map<String, Object> schema) {
    return switch (Trees.text(schema, TypedSchema.GO_TYPE)) {
      case "string" -> "";
      case "bool" -> false;
      case "int32", "int64" -> 0L;
      default -> null;
    };
  }
}
