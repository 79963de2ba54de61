package dev.mooring.sandbox.cel.cost;

import org.jspecify.annotations.Nullable;

/**
 * What a call costs without its arguments.
 *
 * @param size of the result; null if unknown
 */
record Call(Range cost, @Nullable Range size) {
  static final Call ONE = new Call(Range.of(1), null);

  static Call of(Range cost) {
    return new Call(cost, null);
  }
}
