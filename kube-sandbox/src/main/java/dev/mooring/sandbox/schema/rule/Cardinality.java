package dev.mooring.sandbox.schema.rule;

import dev.mooring.sandbox.cel.cost.Range;
import dev.mooring.sandbox.schema.model.Structural;

/**
 * How often the values of one node of a schema can be in an object.
 *
 * @param bound the product of the limits above; negative if one of them has no limit
 */
record Cardinality(long bound) {
  static final Cardinality ONE = new Cardinality(1);
  private static final Cardinality UNBOUNDED = new Cardinality(-1);

  /** Of the values right below. */
  Cardinality below(Structural node) {
    Long limit =
        switch (node.type()) {
          case "array" -> node.assertions().maxItems();
          case "object" ->
              node.additional() == null ? Long.valueOf(1) : node.assertions().maxProperties();
          default -> Long.valueOf(1);
        };
    return bound < 0 || limit == null
        ? UNBOUNDED
        : new Cardinality(Range.times(bound, Math.max(0, limit)));
  }

  /** Without a limit, as many as fit into a request. */
  long max(Structural node) {
    return bound < 0 ? SchemaSizes.REQUEST_MAX / (SchemaSizes.smallest(node) + 1) : bound;
  }
}
