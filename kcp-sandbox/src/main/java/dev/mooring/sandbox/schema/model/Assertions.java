package dev.mooring.sandbox.schema.model;

import java.util.List;

/**
 * What a schema demands of values of the right type. Absent bounds are null, absent texts empty.
 *
 * @param enumeration null where any value will do
 * @param not null where nothing is excluded
 */
public record Assertions(
    String format,
    Double minimum,
    Bound minimumIs,
    Double maximum,
    Bound maximumIs,
    Double multipleOf,
    Long minLength,
    Long maxLength,
    Pattern pattern,
    Long minItems,
    Long maxItems,
    Uniqueness items,
    Long minProperties,
    Long maxProperties,
    List<String> required,
    List<Object> enumeration,
    List<Structural> allOf,
    List<Structural> anyOf,
    List<Structural> oneOf,
    Structural not) {

  public Assertions {
    required = List.copyOf(required);
    allOf = List.copyOf(allOf);
    anyOf = List.copyOf(anyOf);
    oneOf = List.copyOf(oneOf);
  }

  /** Whether the bound itself is allowed. */
  public enum Bound {
    INCLUSIVE,
    EXCLUSIVE
  }

  /** Whether equal items may repeat: {@code uniqueItems}. */
  public enum Uniqueness {
    ANY,
    UNIQUE
  }
}
