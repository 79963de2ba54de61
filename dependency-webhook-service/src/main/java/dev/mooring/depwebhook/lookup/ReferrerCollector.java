package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.reading.JoinedScans;
import dev.mooring.depwebhook.reading.ListedObject;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects a target's referrers from a list, by the protections that each of them concerns. */
final class ReferrerCollector implements JoinedScans.Seeker {
  private final DeletionQuery query;
  private final DependentSearch search;
  private final Map<List<MatchedRule>, Referrers> referrers = new LinkedHashMap<>();

  /**
   * @param query whose eligibility prefetches each protection with its first referrer
   */
  ReferrerCollector(DeletionQuery query, DependentSearch search) {
    this.query = query;
    this.search = search;
  }

  @Override
  public void see(ListedObject dependent) {
    add(
        dependent.object(),
        search.matchingProtections(dependent.object(), query.target(), dependent::references));
  }

  void add(KubeObject dependent, List<MatchedRule> by) {
    if (!by.isEmpty()) {
      referrers.computeIfAbsent(by, this::first).add(search, dependent);
    }
  }

  private Referrers first(List<MatchedRule> by) {
    by.forEach(query.eligibility()::prefetch);
    return new Referrers();
  }

  /** Whether a denial could not name more. */
  @Override
  public boolean hasEnough() {
    Referrers severest = byMode().get(search.mode());
    return severest != null && severest.areEnough();
  }

  /** Whether one refers by a protection of the most severe mode. */
  boolean hasSeverest() {
    return byMode().containsKey(search.mode());
  }

  Set<MatchedRule> protections() {
    var all = new LinkedHashSet<MatchedRule>();
    referrers.keySet().forEach(all::addAll);
    return all;
  }

  /** To be called once the list has ended. */
  ReferrerCollector without(Set<MatchedRule> ineligible) {
    var left = new ReferrerCollector(query, search);
    referrers.forEach((by, objects) -> {
      var eligible = new ArrayList<>(by);
      eligible.removeAll(ineligible);
      if (!eligible.isEmpty()) {
        left.referrers.computeIfAbsent(eligible, _ -> new Referrers()).addAll(objects);
      }
    });
    return left;
  }

  private Map<Mode, Referrers> byMode() {
    var all = new EnumMap<Mode, Referrers>(Mode.class);
    addTo(all);
    return all;
  }

  /** An object counts once, under the most severe mode of its protections. */
  void addTo(Map<Mode, Referrers> all) {
    referrers.forEach((by, objects) -> {
      Mode mode = by.stream().map(MatchedRule::mode).sorted().findFirst().orElseThrow();
      Referrers ofMode = all.computeIfAbsent(mode, _ -> new Referrers());
      ofMode.addAll(objects);
      ofMode.addRules(by.stream().filter(protection -> protection.mode() == mode).toList());
    });
  }
}
