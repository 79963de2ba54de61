package dev.mooring.sandbox.builtin.workload;

import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Fills in values where a tree has none, as Kubernetes' {@code SetDefaults_…} do. Pure. */
final class Defaults {
  private final Map<String, Object> tree;

  private Defaults(Map<String, Object> tree) {
    this.tree = tree;
  }

  /** Of a struct that is there, or is made. */
  static Defaults of(@Nullable Object struct) {
    return new Defaults(new LinkedHashMap<>(Trees.mapOrEmpty(struct)));
  }

  Defaults value(String field, Object value) {
    tree.putIfAbsent(field, value);
    return this;
  }

  /** The value of one field where another is missing. */
  Defaults valueOf(String field, String other) {
    Object value = tree.get(other);
    return value == null ? this : value(field, value);
  }

  /** Of a struct within, which is made if it is missing. */
  Defaults within(String field, UnaryOperator<Defaults> defaults) {
    tree.put(field, defaults.apply(of(tree.get(field))).tree());
    return this;
  }

  /** Of each struct of a list, if there is the list. */
  Defaults each(String field, UnaryOperator<Defaults> defaults) {
    if (tree.get(field) instanceof List<?> items) {
      var filled = new ArrayList<Object>();
      items.forEach(item -> filled.add(defaults.apply(of(item)).tree()));
      tree.put(field, filled);
    }
    return this;
  }

  boolean has(String field, Object value) {
    return value.equals(tree.get(field));
  }

  @Nullable Object get(String field) {
    return tree.get(field);
  }

  Map<String, Object> tree() {
    return tree;
  }
}
