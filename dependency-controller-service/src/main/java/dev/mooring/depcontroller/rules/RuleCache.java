package dev.mooring.depcontroller.rules;

import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRuleReader;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.ObjectCache;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Parses each version of a rule once. Thread-safe. */
public final class RuleCache {
  private final Supplier<? extends Collection<KubeObject>> objects;
  private final ConcurrentHashMap<ObjectKey, Read> read = new ConcurrentHashMap<>();

  private record Read(KubeObject of, RuleReading reading) {}

  /**
   * @param objects all rules that are there when it is called
   */
  public RuleCache(Supplier<? extends Collection<KubeObject>> objects) {
    this.objects = objects;
  }

  /** Every rule, valid or not, in the order of the objects. */
  public List<RuleReading> readings() {
    var readings = new ArrayList<RuleReading>();
    var keys = new TreeSet<ObjectKey>();
    for (KubeObject object : objects.get()) {
      RuleReading reading = reading(object);
      readings.add(reading);
      keys.add(reading.key());
    }
    read.keySet().retainAll(keys);
    return readings;
  }

  /** The valid rules. */
  public List<DependencyRule> valid() {
    return ResolvedRules.valid(readings());
  }

  /** Every path that these rules name. */
  public static SortedSet<WorkspacePath> paths(Collection<DependencyRule> rules) {
    var paths = new TreeSet<WorkspacePath>();
    for (DependencyRule rule : rules) {
      rule.dependencies().forEach(dependency -> paths.add(dependency.export().path()));
    }
    return paths;
  }

  /** A rule that {@link #readings} lists is parsed once for each version. */
  public RuleReading reading(KubeObject object) {
    ObjectKey key = ObjectCache.keyOf(object);
    Read held = read.get(key);
    if (held != null && held.of() == object) {
      return held.reading();
    }
    RuleReading fresh = DependencyRuleReader.read(object);
    read.put(key, new Read(object, fresh));
    return fresh;
  }
}
