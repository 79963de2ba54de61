package dev.mooring.depwebhook.rules;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRuleReader;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.ObjectCache;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cache of parsed rules. A rule is parsed, and its expressions compiled, once for each change of
 * its spec; its status changes whenever a controller starts. Thread-safe.
 */
final class ParsedRules {
  private final ConcurrentHashMap<ObjectKey, Read> read = new ConcurrentHashMap<>();

  private record Read(KubeObject of, RuleReading reading) {}

  /** Whether two versions of a rule have the same spec. */
  static boolean hasSameSpec(KubeObject before, KubeObject after) {
    return before.generation() == after.generation()
        && before.map("spec").equals(after.map("spec"));
  }

  RuleReading of(KubeObject object) {
    ObjectKey key = ObjectCache.keyOf(object);
    Read held = read.get(key);
    if (held != null && hasSameSpec(held.of(), object)) {
      return held.reading();
    }
    RuleReading reading = DependencyRuleReader.read(object);
    read.put(key, new Read(object, reading));
    return reading;
  }

  /**
   * @param all rules that exist; other entries are evicted
   */
  List<DependencyRule> valid(Collection<KubeObject> all) {
    var rules = new ArrayList<DependencyRule>();
    var keys = new HashSet<ObjectKey>();
    for (KubeObject object : all) {
      keys.add(ObjectCache.keyOf(object));
      switch (of(object)) {
        case RuleReading.Valid(var rule) -> rules.add(rule);
        case RuleReading.Invalid(_, _, _) -> {} // reported when it came
      }
    }
    read.keySet().retainAll(keys);
    return rules;
  }
}
