package dev.mooring.model.dependency;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Parses a rule, and compiles its expressions, once for each change of its spec; its status changes
 * whenever a controller starts. Thread-safe.
 */
public final class RuleCache {
  private final Supplier<? extends Collection<KubeObject>> objects;
  private final Map<ObjectKey, Parsed> parsed = new HashMap<>();

  private record Parsed(KubeObject object, RuleReading reading) {}

  /**
   * @param objects all rules that exist when it is called
   */
  public RuleCache(Supplier<? extends Collection<KubeObject>> objects) {
    this.objects = objects;
  }

  /** Whether two versions of a rule have the same spec. */
  public static boolean hasSameSpec(KubeObject before, KubeObject after) {
    return before.generation() == after.generation()
        && before.map("spec").equals(after.map("spec"));
  }

  /** Every rule, valid or not, in the order of the objects. */
  public List<RuleReading> readings() {
    return readings(objects.get());
  }

  private synchronized List<RuleReading> readings(Collection<KubeObject> all) {
    var readings = new ArrayList<RuleReading>();
    var keys = new HashSet<ObjectKey>();
    for (KubeObject object : all) {
      RuleReading reading = reading(object);
      readings.add(reading);
      keys.add(reading.key());
    }
    parsed.keySet().retainAll(keys);
    return readings;
  }

  /** The valid rules, in the order of the objects. */
  public List<DependencyRule> valid() {
    return RuleReading.valid(readings());
  }

  public synchronized RuleReading reading(KubeObject object) {
    ObjectKey key = DependencyRuleReader.key(object);
    Parsed held = parsed.get(key);
    if (held != null && hasSameSpec(held.object(), object)) {
      return held.reading();
    }
    RuleReading reading = DependencyRuleReader.read(object);
    parsed.put(key, new Parsed(object, reading));
    return reading;
  }
}
