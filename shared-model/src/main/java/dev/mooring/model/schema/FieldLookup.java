package dev.mooring.model.schema;

import java.util.List;

/** What a schema says about a path; see {@link ObjectSchema#find}. */
public sealed interface FieldLookup {
  /**
   * Objects may have it.
   *
   * @param type as OpenAPI names it, or {@value ObjectSchema#INT_OR_STRING}
   * @param values the only ones it may have; empty for any
   */
  record Known(String type, List<Object> values) implements FieldLookup {
    public Known {
      values = List.copyOf(values);
    }

    /** Whether it may be of one of these types. */
    public boolean mayBe(List<String> types) {
      return type.isEmpty() || types.contains(type);
    }
  }

  /**
   * The schema does not say.
   *
   * @param why such as {@code the schema keeps any field of .spec.values}
   */
  record Unchecked(String why) implements FieldLookup {}

  /**
   * No object can have it.
   *
   * @param problem such as {@code .spec has no field "vpcReff" (did you mean "vpcRef"?)}
   */
  record Missing(String problem) implements FieldLookup {}
}
