package dev.mooring.syncagent.published;

import dev.mooring.model.object.Trees;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Walks two structural schemas in step and notes where the second is stricter.
 *
 * @param changes are added here
 */
record SchemaComparison(String version, List<SchemaChange> changes) {
  private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
  private static final String INT_OR_STRING = "x-kubernetes-int-or-string";

  /** The two types of an int-or-string, which its mark names as well. */
  private static final List<Object> EITHER =
      List.of(Map.of("type", "integer"), Map.of("type", "string"));

  /** Formats of the wider types, whose range takes in that of the narrower ones. */
  private static final Set<Object> WIDE_FORMATS = Set.of("float", "double", "int-or-string");

  /**
   * @param path empty at the root
   */
  void compare(String path, @Nullable Object before, Object after) {
    if (before == null || before.equals(after)) {
      return;
    }
    if (type(path, before, after)) {
      // What is below has nothing to be compared with.
      return;
    }
    values(path, before, after);
    rules(path, before, after);
    fields(path, before, after);
    Object items = Trees.at(after, "items");
    if (items != null) {
      compare(path + "[*]", Trees.at(before, "items"), items);
    }
  }

  /**
   * Whether the type changed so that nothing else can be compared. One that was widened can: what
   * limited the old values limits them still, or more.
   */
  private boolean type(String path, Object before, Object after) {
    String old = typeOf(before);
    String now = typeOf(after);
    boolean widened =
        old.equals(now)
            || now.isEmpty()
            || old.equals("integer") && now.equals("number")
            || now.equals("integer or string") && (old.equals("integer") || old.equals("string"));
    if (!widened) {
      note(path, "type changed from " + (old.isEmpty() ? "anything" : old) + " to " + now);
    }
    return !widened;
  }

  private static String typeOf(Object schema) {
    return isTrue(schema, INT_OR_STRING) ? "integer or string" : Trees.text(schema, "type");
  }

  private void values(String path, Object before, Object after) {
    enumeration(path, Trees.at(before, "enum"), Trees.at(after, "enum"));
    for (String field : List.of("minimum", "minLength", "minItems", "minProperties")) {
      bound(path, field, before, after, 1);
    }
    for (String field : List.of("maximum", "maxLength", "maxItems", "maxProperties")) {
      bound(path, field, before, after, -1);
    }
    for (String field :
        List.of("pattern", "format", "multipleOf", "not", "oneOf", "anyOf", "allOf")) {
      if (!onlySaysTheWiderType(field, before, after)) {
        restated(path, field, before, after);
      }
    }
    for (String field :
        List.of(
            "exclusiveMinimum",
            "exclusiveMaximum",
            "uniqueItems",
            "x-kubernetes-embedded-resource")) {
      if (isTrue(after, field) && !isTrue(before, field)) {
        note(path, field + " added");
      }
    }
    if (isTrue(before, "nullable") && !isTrue(after, "nullable")) {
      note(path, "null is no longer allowed");
    }
    listType(path, before, after);
  }

  private void enumeration(String path, @Nullable Object before, @Nullable Object after) {
    if (after == null) {
      return;
    }
    if (before == null) {
      note(path, "enum added");
      return;
    }
    var gone = new HashSet<>(Trees.listOrEmpty(before));
    gone.removeAll(Trees.listOrEmpty(after));
    gone.stream().map(String::valueOf).sorted().forEach(v -> note(path, "enum lost " + v));
  }

  /**
   * @param stricter 1 if a higher bound is stricter, -1 if a lower one is
   */
  private void bound(String path, String field, Object before, Object after, int stricter) {
    Object now = Trees.at(after, field);
    Object old = Trees.at(before, field);
    if (now == null) {
      return;
    }
    if (old == null) {
      note(path, field + " " + now + " added");
    } else if (new BigDecimal(now.toString()).compareTo(new BigDecimal(old.toString())) * stricter
        > 0) {
      note(path, field + " changed from " + old + " to " + now);
    }
  }

  /** Fields that cannot be compared: any new value may be stricter. */
  private void restated(String path, String field, Object before, Object after) {
    Object now = Trees.at(after, field);
    Object old = Trees.at(before, field);
    if (now != null && !now.equals(old)) {
      note(path, field + (old == null ? " added" : " changed"));
    }
  }

  private static boolean onlySaysTheWiderType(String field, Object before, Object after) {
    Object now = Trees.at(after, field);
    return !typeOf(before).equals(typeOf(after))
        && (field.equals("anyOf") && EITHER.equals(now)
            || field.equals("format") && now != null && WIDE_FORMATS.contains(now));
  }

  private void listType(String path, Object before, Object after) {
    String old = Trees.text(before, "x-kubernetes-list-type");
    String now = Trees.text(after, "x-kubernetes-list-type");
    boolean unique = now.equals("set") || now.equals("map");
    if (unique
        && !(old.equals(now)
            && Objects.equals(
                Trees.at(before, "x-kubernetes-list-map-keys"),
                Trees.at(after, "x-kubernetes-list-map-keys")))) {
      note(path, "items have to be unique in another way");
    }
  }

  private void rules(String path, Object before, Object after) {
    Set<Object> known = new HashSet<>();
    Trees.list(before, "x-kubernetes-validations")
        .forEach(rule -> known.add(Trees.at(rule, "rule")));
    for (Object rule : Trees.list(after, "x-kubernetes-validations")) {
      if (!known.contains(Trees.at(rule, "rule"))) {
        note(path, "rule added: " + Trees.at(rule, "rule"));
      }
    }
  }

  private void fields(String path, Object before, Object after) {
    Map<String, Object> old = Trees.map(before, "properties");
    Map<String, Object> now = Trees.map(after, "properties");
    Object others = Trees.at(after, "additionalProperties");
    boolean keepsAll = isTrue(after, PRESERVE) || Boolean.TRUE.equals(others);
    old.forEach((name, property) -> {
      String field = path.isEmpty() ? name : path + "." + name;
      if (now.containsKey(name)) {
        compare(field, property, now.get(name));
      } else if (others instanceof Map<?, ?>) {
        compare(field, property, others);
      } else if (!keepsAll) {
        note(field, "field removed");
      }
    });
    required(path, before, after, now);
    boolean keptAll =
        isTrue(before, PRESERVE) || Boolean.TRUE.equals(Trees.at(before, "additionalProperties"));
    if (keptAll && !keepsAll) {
      note(path, "unknown fields are no longer kept");
    }
    Object allowed = Trees.at(before, "additionalProperties");
    if (allowed instanceof Map<?, ?> && !keepsAll) {
      if (others == null || Boolean.FALSE.equals(others)) {
        note(path, "arbitrary keys are no longer allowed");
      } else {
        compare(path + ".*", allowed, others);
      }
    }
  }

  private void required(String path, Object before, Object after, Map<String, Object> properties) {
    Map<String, Object> old = Trees.map(before, "properties");
    List<Object> knownAsRequired = Trees.list(before, "required");
    var required = new TreeSet<String>();
    Trees.list(after, "required").forEach(name -> required.add(String.valueOf(name)));
    for (String name : required) {
      // A default fills in stored objects when they are read, and only then.
      if (Trees.at(properties.get(name), "default") != null) {
        continue;
      }
      String field = path.isEmpty() ? name : path + "." + name;
      if (!knownAsRequired.contains(name)) {
        note(field, "became required");
      } else if (Trees.at(old.get(name), "default") != null) {
        note(field, "is required and lost its default");
      }
    }
  }

  private static boolean isTrue(Object schema, String field) {
    return Boolean.TRUE.equals(Trees.at(schema, field));
  }

  private void note(String path, String what) {
    changes.add(new SchemaChange(version + (path.isEmpty() ? "" : ": " + path), what));
  }
}
