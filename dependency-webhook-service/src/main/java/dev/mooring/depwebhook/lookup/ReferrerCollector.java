package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.reading.JoinedScans;
import dev.mooring.depwebhook.reading.ListedObject;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Collects a target's referrers from a list, by the protections that each of them concerns. */
final class ReferrerCollector implements JoinedScans.Seeker {
  private final Target target;
  private final DependentSearch search;
  private final Consumer<Protection> found;
  private final Map<List<Protection>, Referrers> referrers = new LinkedHashMap<>();

  /**
   * @param found receives each protection with its first referrer; must not block
   */
  ReferrerCollector(Target target, DependentSearch search, Consumer<Protection> found) {
    this.target = target;
    this.search = search;
    this.found = found;
  }

  @Override
  public void see(ListedObject dependent) {
    add(dependent.object(), search.keptBy(dependent.object(), target, dependent::references));
  }

  void add(KubeObject dependent, List<Protection> by) {
    if (!by.isEmpty()) {
      referrers.computeIfAbsent(by, this::first).add(search, dependent);
    }
  }

  private Referrers first(List<Protection> by) {
    by.forEach(found);
    return new Referrers();
  }

  /** Whether a denial could not name more. */
  @Override
  public boolean hasEnough() {
    return result().enough(search.mode());
  }

  boolean isEmptyOfItsMode() {
    return !result().has(search.mode());
  }

  Set<Protection> protections() {
    var all = new LinkedHashSet<Protection>();
    referrers.keySet().forEach(all::addAll);
    return all;
  }

  /** To be called once the list has ended. */
  ReferrerCollector without(Set<Protection> ineligible) {
    var left = new ReferrerCollector(target, search, found);
    referrers.forEach((by, objects) -> {
      var eligible = new ArrayList<>(by);
      eligible.removeAll(ineligible);
      if (!eligible.isEmpty()) {
        left.referrers.computeIfAbsent(eligible, _ -> new Referrers()).addAll(objects);
      }
    });
    return left;
  }

  LookupResult result() {
    var result = new LookupResult();
    referrers.forEach((by, objects) -> result.add(objects, by));
    return result;
  }
}
