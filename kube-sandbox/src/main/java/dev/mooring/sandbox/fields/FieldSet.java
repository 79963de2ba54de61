package dev.mooring.sandbox.fields;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.Trees;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A set of paths into an object, as {@code FieldsV1} writes it: steps are {@code f:<field>}, {@code
 * k:<keys of a list item>} and {@code v:<value of a set item>}. Immutable.
 *
 * @param member whether the path that leads here is in the set
 * @param children what is below, by step
 */
public record FieldSet(boolean member, SortedMap<String, FieldSet> children) {
  public static final FieldSet EMPTY = new FieldSet(false, new TreeMap<>());

  /** Just the path that leads here. */
  public static final FieldSet SELF = new FieldSet(true, new TreeMap<>());

  private static final String DOT = ".";

  public FieldSet {
    children = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(children));
  }

  /** From {@code fieldsV1}. */
  public static FieldSet of(@Nullable Object fieldsV1) {
    return of(Trees.mapOrEmpty(fieldsV1), EMPTY);
  }

  private static FieldSet of(Map<String, Object> tree, FieldSet whenLeaf) {
    if (tree.isEmpty()) {
      return whenLeaf;
    }
    var children = new TreeMap<String, FieldSet>();
    tree.forEach((step, below) -> {
      if (!step.equals(DOT)) {
        children.put(step, of(Trees.mapOrEmpty(below), SELF));
      }
    });
    return new FieldSet(tree.containsKey(DOT), children);
  }

  /** Whether Kubernetes reads a tree as {@code fieldsV1}. */
  static boolean isValid(@Nullable Object fieldsV1) {
    return Trees.mapOrEmpty(fieldsV1).entrySet().stream()
        .allMatch(entry ->
            entry.getKey().equals(DOT)
                || isStep(entry.getKey())
                    && entry.getValue() instanceof Map<?, ?> below
                    && isValid(below));
  }

  private static boolean isStep(String text) {
    if (text.length() < 2 || text.charAt(1) != ':') {
      return false;
    }
    String rest = text.substring(2);
    try {
      return switch (text.charAt(0)) {
        case 'f' -> true;
        case 'v' -> KubeJson.read(rest) != null;
        case 'k' -> KubeJson.read(rest) instanceof Map<?, ?>;
        case 'i' -> rest.chars().allMatch(Character::isDigit);
        default -> false;
      };
    } catch (MalformedJson e) {
      return false;
    }
  }

  /** The paths of a tree that a manager owns who applies it. */
  static FieldSet owned(@Nullable Object tree, FieldSchema schema) {
    var children = new TreeMap<String, FieldSet>();
    if (tree instanceof Map<?, ?> && !schema.atomicMap()) {
      Trees.mapOrEmpty(tree)
          .forEach((key, value) -> {
            FieldSet below = owned(value, schema.field(key));
            boolean empty = value == null || value instanceof Map<?, ?> map && map.isEmpty();
            children.put("f:" + key, empty || !schema.declares(key) ? below.asMember() : below);
          });
      children.values().removeIf(FieldSet::isEmpty);
      return new FieldSet(false, children);
    }
    if (tree instanceof List<?> list && schema.listKind() != FieldSchema.ListKind.ATOMIC) {
      list.forEach(item -> children.put(schema.step(item), owned(item, schema.items()).asMember()));
      return new FieldSet(false, children);
    }
    return SELF;
  }

  private FieldSet asMember() {
    return new FieldSet(true, children);
  }

  /** With the declared fields that lead to its paths: what is removed with all that is in it. */
  FieldSet withNamedFields(FieldSchema schema) {
    var all = new TreeMap<String, FieldSet>();
    children.forEach((step, below) -> {
      boolean field = step.startsWith("f:");
      String name = field ? step.substring(2) : "";
      FieldSet named = below.withNamedFields(field ? schema.field(name) : schema.items());
      all.put(step, field && schema.declares(name) ? named.asMember() : named);
    });
    return new FieldSet(member, all);
  }

  /** Without all that is below the fields of the object. */
  FieldSet withoutFields(Collection<String> fields) {
    var left = new TreeMap<>(children);
    fields.forEach(field -> left.remove("f:" + field));
    return new FieldSet(member, left);
  }

  /** As {@code fieldsV1}. */
  public Map<String, Object> toTree() {
    var tree = new LinkedHashMap<String, Object>();
    if (member && !children.isEmpty()) {
      tree.put(DOT, Map.of());
    }
    children.forEach((step, below) -> tree.put(step, below.toTree()));
    return tree;
  }

  public boolean isEmpty() {
    return !member && children.isEmpty();
  }

  public FieldSet below(String step) {
    return children.getOrDefault(step, EMPTY);
  }

  public FieldSet union(FieldSet other) {
    return merged(other, FieldSet::union, member || other.member, Single.BOTH);
  }

  public FieldSet intersection(FieldSet other) {
    return merged(other, FieldSet::intersection, member && other.member, Single.NONE);
  }

  /** Without the paths of the other set; what lies below those stays. */
  public FieldSet minus(FieldSet other) {
    return merged(other, FieldSet::minus, member && !other.member, Single.OURS);
  }

  /** Without the paths of the other set and all that lies below them. */
  public FieldSet minusRecursively(FieldSet other) {
    return other.member ? EMPTY : merged(other, FieldSet::minusRecursively, member, Single.OURS);
  }

  /** Which children stay that only one of two sets has. */
  private enum Single {
    NONE,
    OURS,
    BOTH
  }

  private FieldSet merged(
      FieldSet other, BinaryOperator<FieldSet> both, boolean here, Single kept) {
    var all = new TreeMap<String, FieldSet>();
    children.forEach((step, below) -> {
      FieldSet theirs = other.children.get(step);
      if (theirs != null) {
        all.put(step, both.apply(below, theirs));
      } else if (kept != Single.NONE) {
        all.put(step, below);
      }
    });
    if (kept == Single.BOTH) {
      other.children.forEach(all::putIfAbsent);
    }
    all.values().removeIf(FieldSet::isEmpty);
    return new FieldSet(here, all);
  }
}
