package dev.mooring.sandbox.schema.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a schema demands of values of the right type. Absent bounds are null, absent texts empty.
 *
 * @param enumeration null where any value will do
 * @param not null where nothing is excluded
 */
public record Assertions(
    String format,
    @Nullable Double minimum,
    Bound minimumIs,
    @Nullable Double maximum,
    Bound maximumIs,
    @Nullable Double multipleOf,
    @Nullable Long minLength,
    @Nullable Long maxLength,
    @Nullable Pattern pattern,
    @Nullable Long minItems,
    @Nullable Long maxItems,
    Uniqueness items,
    @Nullable Long minProperties,
    @Nullable Long maxProperties,
    List<String> required,
    @Nullable List<Object> enumeration,
    List<Structural> allOf,
    List<Structural> anyOf,
    List<Structural> oneOf,
    @Nullable Structural not) {

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
