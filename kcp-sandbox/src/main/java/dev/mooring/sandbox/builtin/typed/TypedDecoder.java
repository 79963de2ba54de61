package dev.mooring.sandbox.builtin.typed;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.TypedSchema;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads an object as Go's JSON decoder reads it into a struct: unknown fields are dropped and
 * reported, values of a wrong type are refused with Go's text, and what Go leaves out when writing
 * is left out. One object, one use.
 */
public final class TypedDecoder {
  private static final Map<String, Object> METADATA = metadata();

  private final String kind;
  private final String version;
  private final List<String> unknown = new ArrayList<>();

  private TypedDecoder(String kind, String apiVersion) {
    this.kind = kind;
    this.version = apiVersion.substring(apiVersion.indexOf('/') + 1);
  }

  /** Throws {@link ApiFailure} 400. */
  public static KubeObject decode(
      KubeObject body, Map<String, Object> schema, WriteContext context) {
    var decoder = new TypedDecoder(body.kind(), body.apiVersion());
    return decoder.decoded(body, schema, context);
  }

  private KubeObject decoded(KubeObject body, Map<String, Object> schema, WriteContext context) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("kind", body.kind());
    tree.put("apiVersion", body.apiVersion());
    Object metadata = body.at("metadata");
    tree.put("metadata", metadata == null ? Map.of() : value(metadata, METADATA, kind, "metadata"));
    var rest = new LinkedHashMap<>(body.tree());
    rest.keySet().removeAll(List.of("kind", "apiVersion", "metadata"));
    tree.putAll(struct(rest, schema, kind, ""));
    report(context);
    return KubeObject.of(tree);
  }

  private void report(WriteContext context) {
    List<String> texts = unknown.stream().map(path -> "unknown field \"" + path + "\"").toList();
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
      Map<String, Object> given, Map<String, Object> schema, String struct, String path) {
    Map<String, Object> properties = Trees.mapOrEmpty(schema.get("properties"));
    var result = new LinkedHashMap<String, Object>();
    properties.forEach((field, declared) -> {
      Map<String, Object> type = Trees.mapOrEmpty(declared);
      Object found = given.get(field);
      Object value = found == null ? null : value(found, type, struct, join(path, field));
      if (value == null) {
        if (type.containsKey(TypedSchema.ZERO)) {
          result.put(field, zero(type));
        }
      } else if (!omitted(value, type)) {
        result.put(field, value);
      }
    });
    for (String field : given.keySet()) {
      if (!properties.containsKey(field)) {
        unknown.add(join(path, field));
      }
    }
    return result;
  }

  /** A struct's zero value holds the zero values of its fields. */
  private @Nullable Object zero(Map<String, Object> type) {
    return type.containsKey(TypedSchema.STRUCT)
        ? struct(Map.of(), type, "", "")
        : type.get(TypedSchema.ZERO);
  }

  private static boolean omitted(Object value, Map<String, Object> type) {
    if (type.containsKey(TypedSchema.ZERO)) {
      return false;
    }
    return switch (value) {
      case String text -> text.isEmpty() && "string".equals(type.get(TypedSchema.GO_TYPE));
      case List<?> list -> list.isEmpty();
      case Map<?, ?> map -> map.isEmpty() && !type.containsKey(TypedSchema.STRUCT);
      default -> false;
    };
  }

  private Object value(Object given, Map<String, Object> type, String struct, String path) {
    if (type.containsKey("properties")) {
      String name =
          type.containsKey(TypedSchema.STRUCT) ? (String) type.get(TypedSchema.STRUCT) : struct;
      if (!(given instanceof Map<?, ?>)) {
        throw mismatch(given, struct, path, "v1." + name);
      }
      return struct(Trees.mapOrEmpty(given), type, name, path);
    }
    if (type.get("additionalProperties") instanceof Map<?, ?> entries) {
      return map(given, Trees.mapOrEmpty(entries), struct, path);
    }
    if (type.get("items") instanceof Map<?, ?> items) {
      return list(given, Trees.mapOrEmpty(items), struct, path);
    }
    return GoScalars.read(
        given,
        Trees.textOrEmpty(type.get(TypedSchema.GO_TYPE)),
        new GoScalars.Complaint() {
          @Override
          public ApiFailure mismatch(String expected) {
            return TypedDecoder.this.mismatch(given, struct, path, expected);
          }

          @Override
          public ApiFailure unreadable(String why) {
            return TypedDecoder.this.unreadable(why);
          }
        });
  }

  private Map<String, Object> map(
      Object given, Map<String, Object> entries, String struct, String path) {
    if (!(given instanceof Map<?, ?>)) {
      throw mismatch(given, struct, path, "map[string]" + goName(entries));
    }
    var result = new LinkedHashMap<String, Object>();
    Trees.mapOrEmpty(given)
        .forEach((key, item) ->
            result.put(key, item == null ? zeroOf(entries) : value(item, entries, struct, path)));
    return result;
  }

  private List<Object> list(Object given, Map<String, Object> items, String struct, String path) {
    if (!(given instanceof List<?>)) {
      throw mismatch(given, struct, path, "[]" + goName(items));
    }
    var result = new ArrayList<Object>();
    int index = 0;
    for (Object item : Trees.listOrEmpty(given)) {
      String here = path + "[" + index++ + "]";
      result.add(item == null ? zeroOf(items) : value(item, items, struct, here));
    }
    return result;
  }

  private static Object zeroOf(Map<String, Object> type) {
    return type.containsKey("properties") ? Map.of() : "";
  }

  private static String goName(Map<String, Object> type) {
    Object struct = type.get(TypedSchema.STRUCT);
    return struct != null ? "v1." + struct : Trees.textOrEmpty(type.get(TypedSchema.GO_TYPE));
  }

  private ApiFailure mismatch(Object given, String struct, String path, String expected) {
    String found =
        switch (given) {
          case String _ -> "string";
          case Boolean _ -> "bool";
          case Number _ -> "number";
          case List<?> _ -> "array";
          case null, default -> "object";
        };
    return unreadable(
        "json: cannot unmarshal %s into Go struct field %s.%s of type %s"
            .formatted(found, struct, path.replaceAll("\\[\\d+]", ""), expected));
  }

  private ApiFailure unreadable(String why) {
    return ApiFailure.badRequest(
        "%s in version \"%s\" cannot be handled as a %s: %s".formatted(kind, version, kind, why));
  }

  private static String join(String path, String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  private static Map<String, Object> metadata() {
    return GoTypes.load().schema("ObjectMeta");
  }
}
