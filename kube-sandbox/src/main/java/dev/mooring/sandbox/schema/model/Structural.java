package dev.mooring.sandbox.schema.model;

import dev.mooring.model.object.Trees;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One node of a structural schema, read once and walked ever after. Nodes inside {@code allOf},
 * {@code anyOf}, {@code oneOf} and {@code not} have the same shape, though Kubernetes lets them
 * hold assertions only.
 *
 * @param type {@code object}, {@code array}, {@code string}, {@code integer}, {@code number},
 *     {@code boolean}; empty where any will do
 * @param preservesUnknown {@code x-kubernetes-preserve-unknown-fields}
 * @param embedded {@code x-kubernetes-embedded-resource}
 * @param additional the schema of properties that are not listed; null where there is none
 * @param additionalAllowed {@code additionalProperties} as a boolean; null where it is none
 * @param items null where items are not described
 * @param defaultValue null where there is no default
 * @param listType {@code set}, {@code map}, or anything else for a list that is one value
 */
public record Structural(
    String type,
    boolean nullable,
    boolean preservesUnknown,
    boolean intOrString,
    boolean embedded,
    Map<String, Structural> properties,
    @Nullable Structural additional,
    @Nullable Boolean additionalAllowed,
    @Nullable Structural items,
    @Nullable Object defaultValue,
    boolean atomicMap,
    String listType,
    List<String> listMapKeys,
    Assertions assertions,
    List<RuleSource> rules) {

  /**
   * Reads an {@code openAPIV3Schema}. Lenient: whether the schema is structural at all is decided
   * where CustomResourceDefinitions are admitted; here, parts of another type count as absent.
   */
  public static Structural of(Map<String, Object> schema) {
    var properties = new LinkedHashMap<String, Structural>();
    Trees.map(schema, "properties")
        .forEach((name, property) -> properties.put(name, of(Trees.mapOrEmpty(property))));
    boolean intOrString = flag(schema, "x-kubernetes-int-or-string");
    return new Structural(
        Trees.text(schema, "type"),
        flag(schema, "nullable"),
        flag(schema, "x-kubernetes-preserve-unknown-fields"),
        intOrString,
        !intOrString && flag(schema, "x-kubernetes-embedded-resource"),
        Collections.unmodifiableMap(properties),
        ofNested(schema.get("additionalProperties")),
        schema.get("additionalProperties") instanceof Boolean allowed ? allowed : null,
        ofNested(schema.get("items")),
        schema.get("default"),
        Trees.text(schema, "x-kubernetes-map-type").equals("atomic"),
        Trees.text(schema, "x-kubernetes-list-type"),
        Trees.texts(schema.get("x-kubernetes-list-map-keys")),
        Assertions.of(schema),
        Trees.list(schema, "x-kubernetes-validations").stream()
            .map(Trees::mapOrEmpty)
            .map(RuleSource::of)
            .toList());
  }

  /** Null for anything but a schema. */
  static @Nullable Structural ofNested(@Nullable Object schema) {
    return schema instanceof Map<?, ?> ? of(Trees.mapOrEmpty(schema)) : null;
  }

  static boolean flag(Map<String, Object> schema, String key) {
    return Boolean.TRUE.equals(schema.get(key));
  }

  /** The schema of the property; null where it is unknown. */
  public @Nullable Structural property(String name) {
    Structural listed = properties.get(name);
    return listed != null ? listed : additional;
  }

  /** Is given a value with its path and its schema. */
  @FunctionalInterface
  public interface Visitor {
    void visit(String path, Object value, Structural schema);
  }

  /** Visits the value and all below it that the schema describes, each before what it holds. */
  public void walk(String path, @Nullable Object value, Visitor visitor) {
    if (value != null) {
      visitor.visit(path, value, this);
    }
    if (value instanceof List<?> list && items != null) {
      for (int index = 0; index < list.size(); index++) {
        items.walk(path + "[" + index + "]", list.get(index), visitor);
      }
    }
    Trees.mapOrEmpty(value)
        .forEach((key, child) -> {
          Structural listed = properties.get(key);
          if (listed != null) {
            listed.walk(child(path, key), child, visitor);
          } else if (additional != null) {
            additional.walk(path + "[" + key + "]", child, visitor);
          }
        });
  }

  /** The path of a field. */
  public static String child(String path, String field) {
    return path.isEmpty() ? field : path + "." + field;
  }
}
