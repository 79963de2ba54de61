package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.fields.FieldCheck;
import dev.mooring.sandbox.fields.FieldSchema;
import dev.mooring.sandbox.fields.ServerSideApply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A merge of some fields into an object, as server-side apply merges but without owners (apiserver
 * {@code pkg/admission/plugin/policy/mutating/patch/smd.go}). Pure.
 */
final class ApplyConfiguration {
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
    String unfit = FieldCheck.errors(fields, root);
    if (!unfit.isEmpty()) {
      throw new MutationFailure(
          "error applying patch: failed to convert patch object to typed object: " + unfit);
    }
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
    switch (value) {
      case Map<?, ?> _ -> {
        if (schema.atomicMap()) {
          atomics.add(path);
        }
        Trees.mapOrEmpty(value)
            .forEach((key, below) -> visit(below, schema.field(key), path + "." + key));
      }
      case List<?> list -> {
        if (schema.listKind() == FieldSchema.ListKind.ATOMIC) {
          atomics.add(path);
        }
        for (int i = 0; i < list.size(); i++) {
          visit(list.get(i), schema.items(), path + "[" + i + "]");
        }
      }
      case null, default -> {}
    }
  }
}
