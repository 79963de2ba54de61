package dev.mooring.model.language;

import java.util.List;

/** One component of a path; {@code afterPipe} components see the whole result before them. */
sealed interface PathStep {
  Separator before();

  /** What stands in front of the component. */
  enum Separator {
    DOT,
    PIPE
  }

  /** A field of a map, or the index of a list if it is a number. */
  record Key(Separator before, String name) implements PathStep {}

  /** The first field, by name, that fits a pattern of {@code *} and {@code ?}. */
  record Wildcard(Separator before, String pattern) implements PathStep {}

  /** The number of items, or, if components follow, what they find in each item. */
  record Every(Separator before) implements PathStep {}

  /** Items that fit a condition: the first one, or all of them. */
  record Query(
      Separator before, List<PathStep> path, String operator, String operand, Wanted wanted)
      implements PathStep {
    public Query {
      path = List.copyOf(path);
    }
  }

  /** How many items a query gives. */
  enum Wanted {
    FIRST,
    ALL
  }
}
