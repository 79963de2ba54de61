package dev.mooring.sandbox.fields;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.fields.FieldSchema.ListKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether what a manager applies fits the schema. Follows {@code
 * sigs.k8s.io/structured-merge-diff/v6/typed/validate.go}. Pure.
 */
public final class FieldCheck {
  private static final int ERRORS_MAX = 100;

  private final List<String> errors = new ArrayList<>();

  private FieldCheck() {}

  /** Empty if it fits; otherwise one text for all that does not. */
  public static String errors(Map<String, Object> applied, FieldSchema schema) {
    var check = new FieldCheck();
    check.check(applied, schema, "");
    return switch (check.errors.size()) {
      case 0 -> "";
      case 1 -> check.errors.getFirst();
      default -> "errors:\n  " + String.join("\n  ", check.errors);
    };
  }

  private void check(@Nullable Object value, FieldSchema schema, String path) {
    if (value == null || schema.isAnything() || errors.size() >= ERRORS_MAX) {
      return;
    }
    switch (schema.type()) {
      case "object" -> map(value, schema, path);
      case "array" -> list(value, schema, path);
      case "string" -> require(value instanceof String, path, "a string");
      case "boolean" -> require(value instanceof Boolean, path, "a boolean");
      case "integer", "number" -> require(value instanceof Number, path, "a number");
      default -> {}
    }
  }

  private boolean require(boolean fits, String path, String expected) {
    if (!fits) {
      report(path, "expected " + expected);
    }
    return fits;
  }

  private void map(Object value, FieldSchema schema, String path) {
    if (!require(value instanceof Map<?, ?>, path, "a map")) {
      return;
    }
    for (Map.Entry<String, Object> entry : Trees.mapOrEmpty(value).entrySet()) {
      String below = path + "." + entry.getKey();
      if (!schema.accepts(entry.getKey())) {
        report(below, "field not declared in schema");
        return;
      }
      check(entry.getValue(), schema.field(entry.getKey()), below);
    }
  }

  private void list(Object value, FieldSchema schema, String path) {
    if (!require(value instanceof List<?>, path, "a list")) {
      return;
    }
    var seen = new HashSet<String>();
    int index = 0;
    for (Object item : Trees.listOrEmpty(value)) {
      String unkeyed = unkeyed(item, schema);
      if (!unkeyed.isEmpty()) {
        report(path + "[" + index + "]", unkeyed);
        return;
      }
      String key =
          schema.listKind() == ListKind.ATOMIC
              ? "[" + index + "]"
              : FieldSchema.text(schema.step(item));
      if (schema.listKind() != ListKind.ATOMIC && !seen.add(key)) {
        report(path, "duplicate entries for key " + key);
      }
      check(item, schema.items(), path + key);
      index++;
    }
  }

  /** Why an item cannot be identified; empty if it can be. */
  private static String unkeyed(@Nullable Object item, FieldSchema schema) {
    return switch (schema.listKind()) {
      case ATOMIC -> "";
      case SET -> item == null ? "an item of a set must not be null" : "";
      case MAP -> {
        List<String> keys = Trees.texts(schema.tree().get("x-kubernetes-list-map-keys"));
        boolean known =
            item != null
                && keys.stream()
                    .anyMatch(key ->
                        Trees.at(item, key) != null
                            || schema.items().field(key).tree().containsKey("default"));
        yield known ? "" : "an item must have one of the keys " + String.join(", ", keys);
      }
    };
  }

  private void report(String path, String complaint) {
    errors.add(path + ": " + complaint);
  }
}
