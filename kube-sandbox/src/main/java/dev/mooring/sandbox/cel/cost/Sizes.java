package dev.mooring.sandbox.cel.cost;

import java.util.List;
import java.util.Optional;

/** How large a value can be that expressions reach from a variable. */
@FunctionalInterface
public interface Sizes {
  /**
   * Empty if unknown.
   *
   * @param path the variable, and then names of fields, {@code @items}, {@code @keys} or {@code
   *     @values}
   */
  Optional<Range> of(List<String> path);
}
