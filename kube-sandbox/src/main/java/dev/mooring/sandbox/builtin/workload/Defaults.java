package dev.mooring.sandbox.builtin.workload;

import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fills in values where a tree has none, as Kubernetes' {@code SetDefaults_…} do, from the notation
 * of {@code workload-resources.yaml}. Pure.
 */
final class Defaults {
  private static final String CONDITION = "if ";

  private Defaults() {}

  /** The tree with its defaults; the table is followed in its order. */
  static Map<String, Object> fill(Map<String, Object> tree, Map<String, Object> table) {
    Map<String, Object> filled = new LinkedHashMap<>(tree);
    for (var entry : table.entrySet()) {
      String field = entry.getKey();
      Object defaults = entry.getValue();
      if (field.startsWith(CONDITION)) {
        if (holds(field.substring(CONDITION.length()), filled)) {
          filled = new LinkedHashMap<>(fill(filled, Trees.mapOrEmpty(defaults)));
        }
      } else if (field.endsWith("=")) {
        filled.putIfAbsent(field.substring(0, field.length() - 1), defaults);
      } else if (!field.endsWith("~")) {
        put(filled, field, defaults);
      } else if (filled.containsKey(field.substring(0, field.length() - 1))) {
        put(filled, field.substring(0, field.length() - 1), defaults);
      }
    }
    return filled;
  }

  private static void put(Map<String, Object> tree, String field, Object defaults) {
    switch (defaults) {
      case Map<?, ?> struct ->
          tree.put(field, fill(Trees.map(tree, field), Trees.mapOrEmpty(struct)));
      case List<?> ofItem -> {
        if (tree.get(field) instanceof List<?> items) {
          Map<String, Object> item = Trees.mapOrEmpty(ofItem.getFirst());
          tree.put(field, items.stream().map(it -> fill(Trees.mapOrEmpty(it), item)).toList());
        }
      }
      case String text when text.equals("$pullPolicy") ->
          tree.putIfAbsent(field, pullPolicy(Trees.text(tree, "image")));
      case String text when text.startsWith("$") -> {
        Object sibling = tree.get(text.substring(1));
        if (sibling != null) {
          tree.putIfAbsent(field, sibling);
        }
      }
      default -> tree.putIfAbsent(field, defaults);
    }
  }

  /**
   * @param condition "field" that is there, "!field" that is not, or "field=value|value"
   */
  private static boolean holds(String condition, Map<String, Object> tree) {
    if (condition.startsWith("!")) {
      return !tree.containsKey(condition.substring(1));
    }
    String[] parts = condition.split("=", 2);
    return parts.length == 1
        ? tree.containsKey(condition)
        : List.of(parts[1].split("\\|")).contains(Trees.text(tree, parts[0]));
  }

  /** An image with the tag latest, or without a tag, may change. */
  private static String pullPolicy(String image) {
    String name = image.substring(image.lastIndexOf('/') + 1);
    boolean fixed = image.contains("@") || name.contains(":") && !name.endsWith(":latest");
    return fixed ? "IfNotPresent" : "Always";
  }
}
