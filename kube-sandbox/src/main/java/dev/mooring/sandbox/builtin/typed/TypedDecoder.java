package dev.mooring.sandbox.builtin.typed;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.TypedSchema;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads an object as Go's JSON decoder reads it into a struct: unknown fields are dropped and
 * reported, values of a wrong type are refused, and what Go leaves out when writing is left out.
 * One object, one use.
 */
public final class TypedDecoder {
  private static final Map<String, Object> METADATA = GoTypes.load().schema("ObjectMeta");

  /** The struct that other values may stand in for. */
  private static final String SCHEMA = "JSONSchemaProps";

  private final String kind;
  private final String version;
  private final List<String> unknown = new ArrayList<>();

  /** By name, so that a struct can hold itself. */
  private final Map<String, Map<String, Object>> structs = new HashMap<>();

  private TypedDecoder(String kind, String apiVersion) {
    this.kind = kind;
    this.version = apiVersion.substring(apiVersion.indexOf('/') + 1);
  }

  /** Throws {@link UnreadableObject}. */
  public static KubeObject decode(
      KubeObject body, Map<String, Object> schema, WriteContext context) {
    var decoder = new TypedDecoder(body.kind(), body.apiVersion());
    var tree =
        Trees.ordered(
            "kind", body.kind(),
            "apiVersion", body.apiVersion(),
            "metadata", Map.of());
    var rest = new LinkedHashMap<>(body.tree());
    rest.keySet().removeAll(List.of("kind", "apiVersion"));
    if (rest.containsKey("metadata") && rest.get("metadata") == null) {
      rest.remove("metadata");
    }
    var whole = new LinkedHashMap<>(Trees.map(schema, "properties"));
    whole.put("metadata", METADATA);
    tree.putAll(decoder.struct(rest, Map.of("properties", whole), ""));
    decoder.report(context);
    return KubeObject.of(tree);
  }

  /**
   * The metadata of an object whose other fields have no Go type, read as such; its unknown fields
   * are left out.
   *
   * @param unknown is given the paths of the unknown fields; sorted, as Go writes a map that it
   *     reads as a struct
   */
  public static KubeObject decodeMetadata(KubeObject body, String kind, List<String> unknown) {
    if (!(body.at("metadata") instanceof Object metadata)) {
      return body;
    }
    var decoder = new TypedDecoder(kind, body.apiVersion());
    Object read = decoder.value(metadata, METADATA, "metadata");
    decoder.unknown.stream().sorted().forEach(unknown::add);
    return body.with(read, "metadata");
  }

  private void report(WriteContext context) {
    List<String> texts = context.strictComplaints(unknown);
    if (texts.isEmpty()) {
      return;
    }
    switch (context.fieldValidation()) {
      case IGNORE -> {}
      case WARN -> texts.forEach(context::warn);
      case STRICT -> throw unreadable("strict decoding error: " + String.join(", ", texts));
    }
  }

  private Map<String, Object> struct(
      Map<String, Object> given, Map<String, Object> schema, String path) {
    Map<String, Object> properties = Trees.map(schema, "properties");
    var values = new HashMap<String, Object>();
    given.forEach((field, found) -> {
      if (!properties.containsKey(field)) {
        unknown.add(join(path, field));
      } else if (found != null) {
        Map<String, Object> type = Trees.mapOrEmpty(properties.get(field));
        values.put(field, value(found, type, join(path, field)));
      }
    });
    var result = new LinkedHashMap<String, Object>();
    properties.forEach((field, declared) -> {
      Map<String, Object> type = Trees.mapOrEmpty(declared);
      Object value = values.get(field);
      if (value == null || isEmptyList(value) && !isAny(type)) {
        if (type.containsKey(TypedSchema.ZERO)) {
          result.put(field, zero(type));
        }
      } else if (!omitted(value, type)) {
        result.put(field, value);
      }
    });
    return result;
  }

  /** What Go keeps as it is. */
  private static boolean isAny(Map<String, Object> type) {
    String goType = Trees.text(type, TypedSchema.GO_TYPE);
    return goType.equals("any") || goType.startsWith("schema-or-");
  }

  /** Go stores an empty list as none. */
  private static boolean isEmptyList(Object value) {
    return value instanceof List<?> list && list.isEmpty();
  }

  /** A struct's zero value holds the zero values of its fields. */
  private @Nullable Object zero(Map<String, Object> type) {
    return type.containsKey(TypedSchema.STRUCT)
        ? struct(Map.of(), type, "")
        : type.get(TypedSchema.ZERO);
  }

  private static boolean omitted(Object value, Map<String, Object> type) {
    if (type.containsKey(TypedSchema.ZERO) || isAny(type)) {
      return false;
    }
    return switch (value) {
      case String text -> text.isEmpty() && "string".equals(type.get(TypedSchema.GO_TYPE));
      case Boolean set -> !set && "flag".equals(type.get(TypedSchema.GO_TYPE));
      case List<?> list -> list.isEmpty();
      case Map<?, ?> map -> map.isEmpty() && !type.containsKey(TypedSchema.STRUCT);
      default -> false;
    };
  }

  private Object value(Object given, Map<String, Object> declared, String path) {
    Map<String, Object> type = resolved(declared);
    if (type.containsKey("properties")) {
      return struct(requireMap(given, path), type, path);
    }
    if (type.get("additionalProperties") instanceof Map<?, ?> entries) {
      return map(requireMap(given, path), Trees.mapOrEmpty(entries), path);
    }
    if (type.get("items") instanceof Map<?, ?> items) {
      return list(given, Trees.mapOrEmpty(items), path);
    }
    String goType = Trees.text(type, TypedSchema.GO_TYPE);
    if (goType.startsWith("schema-or-")) {
      return schemaOr(goType, given, path);
    }
    Object read = GoScalars.read(given, goType);
    if (read == null) {
      throw unreadable(path + " must be of type " + goType);
    }
    return read;
  }

  /** Inside itself a struct is a name without fields. */
  private Map<String, Object> resolved(Map<String, Object> type) {
    if (!(type.get(TypedSchema.STRUCT) instanceof String name)) {
      return type;
    }
    if (type.containsKey("properties")) {
      structs.putIfAbsent(name, type);
      return type;
    }
    return structs.getOrDefault(name, type);
  }

  /** A schema, or what may stand in its place. Unknown fields of the schema are not noticed. */
  private Object schemaOr(String goType, Object given, String path) {
    if (given instanceof Map<?, ?>) {
      int noticed = unknown.size();
      Object read = value(given, structs.getOrDefault(SCHEMA, Map.of()), path);
      unknown.subList(noticed, unknown.size()).clear();
      return read;
    }
    if (goType.equals("schema-or-bool") && !(given instanceof Boolean)) {
      throw unreadable(path + " must be a boolean or a JSON schema");
    }
    return given;
  }

  private Map<String, Object> requireMap(Object given, String path) {
    if (given instanceof Map<?, ?>) {
      return Trees.mapOrEmpty(given);
    }
    throw unreadable(path + " must be an object");
  }

  private Map<String, Object> map(
      Map<String, Object> given, Map<String, Object> entries, String path) {
    var result = new LinkedHashMap<String, Object>();
    given.forEach((key, item) ->
        result.put(key, item == null ? zeroOf(entries) : value(item, entries, path + "." + key)));
    return result;
  }

  private List<Object> list(Object given, Map<String, Object> items, String path) {
    if (!(given instanceof List<?>)) {
      throw unreadable(path + " must be a list");
    }
    var result = new ArrayList<Object>();
    int index = 0;
    for (Object item : Trees.listOrEmpty(given)) {
      String here = path + "[" + index++ + "]";
      result.add(item == null ? zeroOf(items) : value(item, items, here));
    }
    return result;
  }

  private static @Nullable Object zeroOf(Map<String, Object> type) {
    if (type.containsKey(TypedSchema.STRUCT)) {
      return Map.of();
    }
    return switch (Trees.text(type, TypedSchema.GO_TYPE)) {
      case "quantity" -> "0";
      case "any" -> null;
      default -> "";
    };
  }

  private UnreadableObject unreadable(String why) {
    return UnreadableObject.of(kind, version, why);
  }

  private static String join(String path, String field) {
    return path.isEmpty() ? field : path + "." + field;
  }
}
