package dev.mooring.depwebhook.rules.decide;

import java.util.Optional;

/**
 * The rules in force, as far as they are known.
 *
 * @param <T> all rules, or those about one target
 */
public sealed interface Rules<T> {
  /** The rules of every shard have been read. */
  record Loaded<T>(T rules) implements Rules<T> {}

  /**
   * All rules were loaded, but the last event of a shard is too old: there may be newer rules, so
   * nothing may be allowed.
   *
   * @param rules as last loaded
   * @param problem which shard is stale, since when, and why; for operators
   */
  record Stale<T>(T rules, String problem) implements Rules<T> {}

  /**
   * Not all rules are known yet, so nothing may be allowed.
   *
   * @param waitingFor for operators
   */
  record Loading<T>(String waitingFor) implements Rules<T> {}

  /** Stale rules as well; empty until all were loaded once. */
  default Optional<T> lastLoaded() {
    return switch (this) {
      case Loaded(var rules) -> Optional.of(rules);
      case Stale(var rules, _) -> Optional.of(rules);
      case Loading(_) -> Optional.empty();
    };
  }
}
