package dev.mooring.depwebhook.rules;

import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.depwebhook.rules.decide.Rules;

/** The rules of all providers. Thread-safe; answers at once. */
@FunctionalInterface
public interface RuleSource {
  Rules<RuleIndex> current();
}
