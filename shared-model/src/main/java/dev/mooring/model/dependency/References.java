package dev.mooring.model.dependency;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** What was found in one dependent. */
public sealed interface References {
  /** Whether the target is, or may be, referred to: an undecidable one counts. */
  default boolean mayMean(Target target) {
    return switch (this) {
      case Known(var all) -> all.stream().anyMatch(reference -> reference.means(target));
      case Undecidable(_) -> true;
    };
  }

  /** All of them; may be empty. */
  record Known(SortedSet<Reference> all) implements References {
    public static final References NONE = new Known(Collections.emptySortedSet());

    public Known {
      all = Collections.unmodifiableSortedSet(new TreeSet<>(all));
    }
  }

  /**
   * The expression failed, so the dependent may refer to every target.
   *
   * @param problem why, for the rule's author
   */
  record Undecidable(String problem) implements References {}
}
