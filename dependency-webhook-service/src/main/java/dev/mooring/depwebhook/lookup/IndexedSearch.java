package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.index.decide.TypeInWorkspace;
import dev.mooring.depwebhook.lookup.SearchResults.SearchResult.Read;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** Searches the index of a dependent type, and confirms by a live read what would deny. */
record IndexedSearch(ReferenceIndexes indexes) {
  /** Candidates of an index that no longer refer, after which the index counts as outdated. */
  private static final int OUTDATED_MAX = 3;

  /** Candidates that are counted; each costs as much as evaluating the rules. */
  private static final int COUNTED_MAX = 1_000;

  /**
   * Empty if the index is not usable or outdated. Each protection is prefetched before the live
   * read of its first candidate.
   */
  Optional<Read> find(KubeReader workspace, DeletionQuery query, DependentSearch search) {
    return indexes
        .usable(
            new TypeInWorkspace(query.target().key().cluster(), search.dependent()),
            search.readers(),
            search.mask())
        .flatMap(index -> confirmed(workspace, query, search, index.candidates(query.target())));
  }

  private static Optional<Read> confirmed(
      KubeReader workspace,
      DeletionQuery query,
      DependentSearch search,
      List<KubeObject> candidates) {
    Target target = query.target();
    var collector = new ReferrerCollector(query, search);
    var confirmed = EnumSet.noneOf(Mode.class);
    int outdated = 0;
    int counted = 0;
    for (KubeObject candidate : candidates) {
      requireCaller(query);
      if (++counted > COUNTED_MAX && collector.hasEnough()) {
        return Optional.of(new Read(LookupMethod.INDEX, Search.STOPPED_EARLY, collector));
      }
      List<MatchedRule> by = search.matchingProtections(candidate, target);
      if (!by.stream().map(MatchedRule::mode).allMatch(confirmed::contains)) {
        // The caller's reads run at the same time: a denial needs both.
        by.forEach(query.eligibility()::prefetch);
        Optional<KubeObject> live;
        try {
          live = workspace.find(search.dependent(), candidate.namespace(), candidate.name());
        } catch (KubeFailure failure) {
          if (!failure.isAbsent()) {
            throw failure;
          }
          // The type is no longer served, at least in this version: a list finds out.
          return Optional.empty();
        }
        by = live.map(now -> search.matchingProtections(now, target)).orElse(List.of());
        if (by.isEmpty()) {
          if (++outdated == OUTDATED_MAX) {
            return Optional.empty();
          }
          continue;
        }
        by.forEach(protection -> confirmed.add(protection.mode()));
      }
      collector.add(candidate, by);
    }
    return Optional.of(new Read(LookupMethod.INDEX, Search.COMPLETE, collector));
  }

  /** This loop may run long without a read. */
  private static void requireCaller(DeletionQuery query) {
    query.deadline().requireTime();
    if (Thread.currentThread().isInterrupted()) {
      throw KubeFailure.unavailable("the lookup was cancelled", null);
    }
  }
}
