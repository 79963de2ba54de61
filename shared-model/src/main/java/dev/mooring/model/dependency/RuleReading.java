package dev.mooring.model.dependency;

import dev.mooring.model.identity.ObjectKey;
import java.util.List;
import java.util.stream.Stream;

/** What became of reading one {@code DependencyRule} object. */
public sealed interface RuleReading {
  /** The rule counts. What it has that could not be read, it says itself. */
  record Valid(DependencyRule rule) implements RuleReading {}

  /**
   * The rule protects nothing until its author corrects it.
   *
   * @param problems one sentence each, naming the field; never empty
   */
  record Invalid(ObjectKey key, long generation, List<String> problems) implements RuleReading {
    public Invalid {
      problems = List.copyOf(problems);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("an invalid rule has a problem");
      }
    }
  }

  /** The valid ones of these, in order. */
  static List<DependencyRule> valid(List<RuleReading> readings) {
    return readings.stream()
        .flatMap(reading -> reading instanceof Valid(var rule) ? Stream.of(rule) : Stream.empty())
        .toList();
  }

  default ObjectKey key() {
    return switch (this) {
      case Valid(var rule) -> rule.key();
      case Invalid(var key, _, _) -> key;
    };
  }

  default long generation() {
    return switch (this) {
      case Valid(var rule) -> rule.generation();
      case Invalid(_, var generation, _) -> generation;
    };
  }
}
