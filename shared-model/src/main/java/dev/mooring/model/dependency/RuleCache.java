package dev.mooring.model.dependency;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Parses a rule, and compiles its expressions, once for each change of its spec; its status changes
 * whenever a controller starts. Thread-safe.
 */
public final class RuleCache {
  private final Supplier<? extends Collection<KubeObject>> objects;
  private final Function<KubeObject, FieldFindings> findings;
  private final Map<ObjectKey, Parsed> parsed = new HashMap<>();

  private record Parsed(KubeObject object, RuleReading reading) {}

  private RuleCache(
      Supplier<? extends Collection<KubeObject>> objects,
      Function<KubeObject, FieldFindings> findings) {
    this.objects = objects;
    this.findings = findings;
  }

  /**
   * Rules as their authors wrote them.
   *
   * @param objects all rules that exist when it is called
   */
  public static RuleCache asWritten(Supplier<? extends Collection<KubeObject>> objects) {
    return new RuleCache(objects, _ -> FieldFindings.NONE);
  }

  /** As {@link #asWritten}, with what the controller found out about their fields. */
  public static RuleCache asReported(Supplier<? extends Collection<KubeObject>> objects) {
    return new RuleCache(objects, FieldFindings::reportedBy);
  }

  /** Whether two versions of a rule have the same reading. */
  public boolean readsTheSame(KubeObject before, KubeObject after) {
    return hasSameSpec(before, after) && findings.apply(before).equals(findings.apply(after));
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
    if (held != null && readsTheSame(held.object(), object)) {
      return held.reading();
    }
    RuleReading reading =
        switch (DependencyRuleReader.read(object)) {
          case RuleReading.Valid(var rule) ->
              new RuleReading.Valid(findings.apply(object).applyTo(rule));
          case RuleReading.Invalid invalid -> invalid;
        };
    parsed.put(key, new Parsed(object, reading));
    return reading;
  }
}
