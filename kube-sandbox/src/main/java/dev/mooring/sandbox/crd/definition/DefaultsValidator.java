package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.schema.CompiledSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether the defaults of a structural schema are values that it allows (apiextensions {@code
 * pkg/apiserver/schema/defaulting/validation.go}).
 */
final class DefaultsValidator {
  private DefaultsValidator() {}

  /** What is wrong with the defaults of the schema at the path and below it. */
  static List<FieldError> check(String path, Map<String, Object> schema) {
    var errors = new ArrayList<FieldError>();
    var root = new LinkedHashMap<>(schema);
    root.put("x-kubernetes-embedded-resource", true);
    check(path, root, errors);
    return errors;
  }

  private static void check(String path, Map<String, Object> schema, List<FieldError> errors) {
    Object value = schema.get("default");
    if (value != null) {
      errors.addAll(CompiledSchema.of(schema).validateDefault(path + ".default", value));
    }
    if (schema.get("items") instanceof Map<?, ?> items) {
      check(path + ".items", Trees.mapOrEmpty(items), errors);
    }
    // Defaults of an object's type and metadata are refused, or those of all objects.
    boolean object = Boolean.TRUE.equals(schema.get("x-kubernetes-embedded-resource"));
    Trees.map(schema, "properties")
        .forEach((name, property) -> {
          if (!object || !List.of("apiVersion", "kind", "metadata").contains(name)) {
            check(path + ".properties[" + name + "]", Trees.mapOrEmpty(property), errors);
          }
        });
  }
}
