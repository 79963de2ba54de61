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
 * What rules say. A rule is read, and its expressions compiled, once for as long as it says the
 * same: whose status changes, as all do when a controller starts, says nothing new. Thread-safe.
 */
final class ParsedRules {
  private final ConcurrentHashMap<ObjectKey, Read> read = new ConcurrentHashMap<>();

  private record Read(KubeObject of, RuleReading reading) {}

  /** Whether both versions of a rule say the same. */
  static boolean saysTheSame(KubeObject before, KubeObject after) {
    return before.generation() == after.generation()
        && before.map("spec").equals(after.map("spec"));
  }

  RuleReading of(KubeObject object) {
    ObjectKey key = ObjectCache.keyOf(object);
    Read held = read.get(key);
    if (held != null && saysTheSame(held.of(), object)) {
      return held.reading();
    }
    RuleReading reading = DependencyRuleReader.read(object);
    read.put(key, new Read(object, reading));
    return reading;
  }

  /**
   * @param all that there are; what others said is forgotten
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
