package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.DependentLister.WrongVersion;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.runtime.client.KubeFailure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the searches for one target's dependents returned, before it is decided which rules are
 * eligible. Results are added in the order of the searches. Used by one thread.
 */
final class SearchResults {
  private static final String UNREAD =
      "the dependency webhook could not read all that may still refer to it; ask again";
  private static final String UNREADABLE =
      "the dependency webhook cannot read all that may still refer to it until the platform's"
          + " operator corrects a rule or a permission";

  private final List<SearchResult> results = new ArrayList<>();
  private final Map<Mode, Referrers> referrers = new EnumMap<>(Mode.class);

  /** {@code STOPPED_EARLY} if the results are enough to answer and searches were left out. */
  private Search extent = Search.COMPLETE;

  /** The result of one search. */
  sealed interface SearchResult {
    record Read(LookupMethod method, Search extent, ReferrerCollector referrers)
        implements SearchResult {}

    /** Its dependents could not be read, so it is unknown whether one refers to the target. */
    record Failed(DependentSearch search, RuntimeException failure) implements SearchResult {}
  }

  void add(SearchResult result) {
    results.add(result);
    switch (result) {
      case SearchResult.Read read -> read.referrers().addTo(referrers);
      case SearchResult.Failed failed when failed.search().mode() == Mode.DENY -> stop();
      case SearchResult.Failed _ -> {}
    }
  }

  /** No further search can change the answer. */
  void stop() {
    extent = Search.STOPPED_EARLY;
  }

  boolean isStopped() {
    return extent == Search.STOPPED_EARLY;
  }

  /** Whether a denial could not name more, or is certain although a search failed. */
  boolean areEnough() {
    Referrers denying = referrers.get(Mode.DENY);
    return denying != null && (isStopped() || denying.areEnough());
  }

  /** Those whose eligibility the answer depends on. */
  Set<MatchedRule> protections() {
    var all = new LinkedHashSet<MatchedRule>();
    for (SearchResult result : results) {
      all.addAll(
          switch (result) {
            case SearchResult.Read read -> read.referrers().protections();
            case SearchResult.Failed(var search, _) -> search.protections();
          });
    }
    return all;
  }

  /**
   * Without some protections. Empty if another search without them may find more: reading stopped
   * for their referrers, failed for their dependents, or an index confirmed theirs only.
   */
  Optional<SearchResults> without(Set<MatchedRule> ineligible) {
    if (isStopped()) {
      return Optional.empty();
    }
    var left = new SearchResults();
    for (SearchResult result : results) {
      if (!(result instanceof SearchResult.Read(var method, var read, var found))
          || method == LookupMethod.INDEX
          || read == Search.STOPPED_EARLY) {
        return Optional.empty();
      }
      left.add(new SearchResult.Read(method, read, found.without(ineligible)));
    }
    return Optional.of(left);
  }

  /** The answer if all {@link #protections} are eligible. */
  LookupResult result(Target target) {
    var unchecked = new ArrayList<String>();
    var unknown = new ArrayList<LookupResult>();
    Search search = extent;
    for (SearchResult result : results) {
      switch (result) {
        case SearchResult.Read read when read.extent() == Search.STOPPED_EARLY ->
            search = Search.STOPPED_EARLY;
        case SearchResult.Read _ -> {}
        case SearchResult.Failed(var failed, var failure) -> {
          String why = explained(failed, target, failure);
          if (failed.mode() == Mode.DENY) {
            unknown.add(new LookupResult.Incomplete(why, isLasting(failure) ? UNREADABLE : UNREAD));
          } else {
            unchecked.add(why);
          }
        }
      }
    }
    if (!unknown.isEmpty() && !referrers.containsKey(Mode.DENY)) {
      return unknown.getFirst();
    }
    var found = new EnumMap<Mode, LookupResult.Found>(Mode.class);
    for (Map.Entry<Mode, Referrers> each : referrers.entrySet()) {
      found.put(each.getKey(), each.getValue().found(search));
    }
    return new LookupResult.Complete(found, unchecked);
  }

  private static boolean isLasting(RuntimeException failure) {
    return failure instanceof WrongVersion
        || failure instanceof KubeFailure refused && refused.isDenied();
  }

  /** What could not be read, for which rules, and what to do. */
  private static String explained(DependentSearch search, Target target, RuntimeException failure) {
    return search.description()
        + ": "
        + switch (failure) {
          case WrongVersion wrong ->
              "logical cluster %s serves it only as %s; correct the rule's spec.dependent.version"
                  .formatted(target.key().cluster(), String.join(", ", wrong.versions()));
          case KubeFailure refused ->
              MissingRight.explained(
                  refused, "get and list", search.dependent(), target.key().cluster());
          default -> failure.getMessage();
        };
  }
}
