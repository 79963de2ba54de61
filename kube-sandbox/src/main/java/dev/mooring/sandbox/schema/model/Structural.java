package dev.mooring.sandbox.schema.model;

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
 * @param additional the schema of properties that are not listed; null where there is none
 * @param items null where items are not described
 * @param defaultValue null where there is no default
 */
public record Structural(
    String type,
    NullHandling nulls,
    Unknown unknown,
    Shape shape,
    Map<String, Structural> properties,
    @Nullable Structural additional,
    Additional additionalProperties,
    @Nullable Structural items,
    @Nullable Object defaultValue,
    ListType listType,
    List<String> listMapKeys,
    Assertions assertions,
    List<RuleSource> rules) {

  public Structural {
    listMapKeys = List.copyOf(listMapKeys);
    rules = List.copyOf(rules);
  }

  /** The schema of the property; null where it is unknown. */
  public @Nullable Structural property(String name) {
    Structural listed = properties.get(name);
    return listed != null ? listed : additional;
  }

  public boolean rejectsNull() {
    return nulls == NullHandling.REJECTED;
  }

  public boolean embedded() {
    return shape == Shape.EMBEDDED_RESOURCE;
  }

  public boolean intOrString() {
    return shape == Shape.INT_OR_STRING;
  }

  /** {@code nullable}. */
  enum NullHandling {
    ALLOWED,
    REJECTED
  }

  /** {@code x-kubernetes-preserve-unknown-fields}. */
  public enum Unknown {
    PRUNED,
    PRESERVED
  }

  /** What {@code type} alone cannot say. */
  enum Shape {
    PLAIN,
    /** {@code x-kubernetes-int-or-string}. */
    INT_OR_STRING,
    /** {@code x-kubernetes-embedded-resource}. */
    EMBEDDED_RESOURCE
  }

  /** The boolean form of {@code additionalProperties}; meaningless if there is a schema. */
  public enum Additional {
    UNSPECIFIED,
    ALLOWED,
    FORBIDDEN
  }
}
