package dev.mooring.depwebhook.rules;

import dev.mooring.depwebhook.rules.decide.RuleIndex;
import java.util.Objects;

/** The rules in force, as far as they are known. Thread-safe; answers at once. */
@FunctionalInterface
public interface RuleSource {
  State current();

  /** Whether the rules of every shard have been read. */
  sealed interface State {}

  /** All rules are known. */
  record Loaded(RuleIndex rules) implements State {
    public Loaded {
      Objects.requireNonNull(rules, "rules");
    }
  }

  /**
   * Not all rules are known yet, so nothing may be allowed.
   *
   * @param waitingFor for operators
   */
  record Loading(String waitingFor) implements State {
    public Loading {
      Objects.requireNonNull(waitingFor, "waitingFor");
    }
  }
}
