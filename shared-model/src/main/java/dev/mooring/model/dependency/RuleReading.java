package dev.mooring.model.dependency;

import dev.mooring.model.identity.ObjectKey;
import java.util.List;

/** What became of reading one {@code DependencyRule} object. */
public sealed interface RuleReading {
  ObjectKey key();

  long generation();

  /** The rule counts. What it has that could not be read, it says itself. */
  record Valid(DependencyRule rule) implements RuleReading {

    @Override
    public ObjectKey key() {
      return rule.key();
    }

    @Override
    public long generation() {
      return rule.generation();
    }
  }

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
}
