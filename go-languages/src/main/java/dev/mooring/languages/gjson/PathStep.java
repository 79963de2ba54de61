package dev.mooring.languages.gjson;

import java.util.List;
import java.util.Optional;

/** One component of a path. */
sealed interface PathStep {
  Separator before();

  /** Whether it makes something of all that is before it, be that nothing. */
  default boolean isComputing() {
    return false;
  }

  /** What stands in front of the component. */
  enum Separator {
    DOT,
    /** The component sees the whole result before it. */
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

  /** {@code ..}: the document as the only item of a list. */
  record Lines(Separator before) implements PathStep {}

  /** {@code @name} or {@code @name:argument}. */
  record Modifier(Separator before, PathModifier modifier) implements PathStep {
    @Override
    public boolean isComputing() {
      return true;
    }
  }

  /** {@code !"text"}: a value that the path brings with it; empty for what is no JSON. */
  record Literal(Separator before, Optional<Json> value) implements PathStep {
    @Override
    public boolean isComputing() {
      return true;
    }
  }

  /** {@code [a,b]} and {@code {a,"name":b}}: what several paths find, as a list or a map. */
  record Multipath(Separator before, Shape shape, List<Selection> selections) implements PathStep {
    public Multipath {
      selections = List.copyOf(selections);
    }

    @Override
    public boolean isComputing() {
      return true;
    }
  }

  enum Shape {
    LIST,
    MAP
  }

  /**
   * One path of a multipath.
   *
   * @param name of its field
   */
  record Selection(String name, List<PathStep> path) {
    public Selection {
      path = List.copyOf(path);
    }
  }
}
