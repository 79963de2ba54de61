package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.fields.FieldSchema;
import dev.mooring.sandbox.fields.ServerSideApply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A merge of some fields into an object, as server-side apply merges but without owners (apiserver
 * {@code pkg/admission/plugin/policy/mutating/patch/smd.go}). Pure.
 */
final class ApplyConfiguration {
  private static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");

  private final List<String> atomics = new ArrayList<>();

  private ApplyConfiguration() {}

  /**
   * The object with these fields; throws {@link MutationFailure} if they do not fit its schema or
   * would replace a whole list, map or struct.
   *
   * @param schema as OpenAPI has it
   */
  static Map<String, Object> merge(
      Map<String, Object> object, Map<String, Object> fields, Map<String, Object> schema) {
    FieldSchema root = FieldSchema.root(schema);
    var check = new ApplyConfiguration();
    check.visit(fields, root, "");
    if (!check.atomics.isEmpty()) {
      throw new MutationFailure(
          "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or"
              + " structs: "
              + String.join(", ", check.atomics));
    }
    return ServerSideApply.merge(object, fields, root);
  }

  private void visit(@Nullable Object value, FieldSchema schema, String path) {
    String type = Trees.text(schema.tree(), "type");
    switch (value) {
      case null -> {}
      case Map<?, ?> map -> {
        requireType(type, "object", path, "&value.valueUnstructured{Value:%s}".formatted(map));
        if (schema.atomicMap()) {
          atomics.add(path);
        }
        Trees.mapOrEmpty(value)
            .forEach((key, below) -> {
              requireDeclared(schema, key, path);
              visit(below, schema.field(key), path + "." + key);
            });
      }
      case List<?> list -> {
        requireType(type, "array", path, "&value.valueUnstructured{Value:%s}".formatted(list));
        if (schema.listKind() == FieldSchema.ListKind.ATOMIC) {
          atomics.add(path);
        }
        for (int i = 0; i < list.size(); i++) {
          String here = path + "[" + i + "]";
          if (path.equals(".metadata.ownerReferences") && !schema.items().atomicMap()) {
            atomics.add(here);
          }
          visit(list.get(i), schema.items(), here);
        }
      }
      case String text ->
          requireType(type, "string", path, "&value.valueUnstructured{Value:\"" + text + "\"}");
      case Boolean flag ->
          requireType(type, "boolean", path, "&value.valueUnstructured{Value:" + flag + "}");
      default -> {
        if (!type.equals("number")) {
          requireType(type, "integer", path, "&value.valueUnstructured{Value:" + value + "}");
        }
      }
    }
  }

  private static void requireDeclared(FieldSchema schema, String key, String path) {
    Map<String, Object> tree = schema.tree();
    boolean open =
        !(tree.get("properties") instanceof Map<?, ?>)
            || tree.containsKey("additionalProperties")
            || Boolean.TRUE.equals(tree.get("x-kubernetes-preserve-unknown-fields"))
            || path.equals(".metadata")
            || path.isEmpty() && OF_EVERY_OBJECT.contains(key);
    if (!open && !Trees.map(tree, "properties").containsKey(key)) {
      throw unfit(path + "." + key, "field not declared in schema");
    }
  }

  private static void requireType(String declared, String type, String path, String shown) {
    if (declared.isEmpty() || declared.equals(type)) {
      return;
    }
    String expected =
        switch (declared) {
          case "object" -> "map";
          case "array" -> "list";
          case "integer", "number" -> "numeric (int or float)";
          default -> declared;
        };
    boolean container = declared.equals("object") || declared.equals("array");
    throw unfit(
        path,
        "expected %s, got %s"
            .formatted(
                expected,
                container
                    ? shown
                        .replaceFirst("^&value.valueUnstructured\\{Value:\"?", "&{")
                        .replaceFirst("\"?}$", "}")
                    : shown));
  }

  private static MutationFailure unfit(String path, String problem) {
    return new MutationFailure(
        "error applying patch: failed to convert patch object to typed object: %s: %s"
            .formatted(path, problem));
  }
}
