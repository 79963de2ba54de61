package dev.mooring.depwebhook.rules;

import dev.mooring.depwebhook.rules.decide.RuleIndex;

/** The rules in force, as far as they are known. Thread-safe; answers at once. */
@FunctionalInterface
public interface RuleSource {
  State current();

  /** Whether the rules of every shard have been read. */
  sealed interface State {}

  /** All rules are known. */
  record Loaded(RuleIndex rules) implements State {}

  /**
   * All rules were loaded, but the last event of a shard is too old: there may be newer rules, so
   * nothing may be allowed.
   *
   * @param rules as last loaded
   * @param problem which shard is stale, since when, and why; for operators
   */
  record Stale(RuleIndex rules, String problem) implements State {}

  /**
   * Not all rules are known yet, so nothing may be allowed.
   *
   * @param waitingFor for operators
   */
  record Loading(String waitingFor) implements State {}
}
