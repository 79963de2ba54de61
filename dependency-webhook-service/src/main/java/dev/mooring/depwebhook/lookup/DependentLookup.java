package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.lookup.DependentLister.Outcome;
import dev.mooring.depwebhook.lookup.DependentLister.WrongVersion;
import dev.mooring.depwebhook.lookup.Findings.Result;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.reading.JoinedScans.Extent;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Finds a target's referrers in two steps: {@link #find} reads, {@link #referrers} keeps what
 * eligible rules are about. Dependent types are searched in parallel, each by the first of these
 * that answers:
 *
 * <ol>
 *   <li>an index that has a referrer, once a live read of that object confirms it;
 *   <li>an index that has none, if all rules say {@code consistency: indexed};
 *   <li>a live list.
 * </ol>
 *
 * <p>Referrers of a namespaced target are in its own namespace, cluster-scoped, or in any namespace
 * if a rule's references may name one; those of a cluster-scoped target are anywhere. A list that
 * is not found proves nothing: discovery says whether the workspace serves the type. Reading ends
 * once there are more referrers than a message names.
 */
public final class DependentLookup implements ReferrerLookup {
  private final Function<LogicalCluster, KubeReader> workspaces;
  private final IndexedSearch indexed;
  private final DependentLister lister;
  private final InstantSource clock;
  private final LookupListener listener;

  /**
   * @param workspaces reads of one consumer's workspace
   */
  public DependentLookup(
      Function<LogicalCluster, KubeReader> workspaces,
      ReferenceIndexes indexes,
      InstantSource clock,
      LookupListener listener) {
    this.workspaces = workspaces;
    this.indexed = new IndexedSearch(indexes);
    this.lister = new DependentLister(clock);
    this.clock = clock;
    this.listener = listener;
  }

  @Override
  public Lookup referrers(
      Target target, List<DependentSearch> searches, RuleEligibility eligibility) {
    List<DependentSearch> left = searches;
    while (true) {
      Findings findings = find(target, left, eligibility);
      findings.protections().forEach(eligibility::prefetch);
      Set<Protection> ineligible =
          findings.protections().stream()
              .filter(Predicate.not(eligibility::isEligible))
              .collect(Collectors.toSet());
      if (ineligible.isEmpty()) {
        return findings.lookup(target);
      }
      Optional<Findings> rest = findings.without(ineligible);
      if (rest.isPresent()) {
        return rest.get().lookup(target);
      }
      left = left.stream().flatMap(search -> search.without(ineligible).stream()).toList();
    }
  }

  /**
   * Reads, as if all rules were eligible, until that is enough to answer.
   *
   * @param eligibility prefetches what it will be asked for, at the same time
   */
  private Findings find(
      Target target, List<DependentSearch> searches, RuleEligibility eligibility) {
    var review = new ReviewContext(target, eligibility, workspaces.apply(target.key().cluster()));
    var results = new ArrayList<Result>();
    var total = new LookupResult();
    Extent extent = Extent.ALL;
    try (var lookups = new ParallelLookups<>(searches, search -> search(review, search))) {
      while (lookups.hasNext()) {
        if (total.enough(Mode.DENY)) {
          return new Findings(results, Extent.STOPPED);
        }
        Result result = lookups.next();
        results.add(result);
        switch (result) {
          case Result.Read read -> total.addAll(read.referrers().result());
          case Result.Failed(var search, _) -> {
            if (search.mode() == Mode.DENY) {
              extent = Extent.STOPPED;
              lookups.beginNoMore();
            }
          }
        }
        if (extent == Extent.STOPPED && total.has(Mode.DENY)) {
          return new Findings(results, extent);
        }
      }
    }
    return new Findings(results, extent);
  }

  /** Also on threads of {@link ParallelLookups}. */
  private Result search(ReviewContext review, DependentSearch search) {
    Instant start = clock.instant();
    var method = LookupMethod.LIST;
    try {
      Result.Read read = indexed(review, search).orElseGet(() -> listed(review, search));
      method = read.method();
      return read;
    } catch (KubeFailure | WrongVersion failure) {
      return new Result.Failed(search, failure);
    } finally {
      listener.looked(method, Duration.between(start, clock.instant()));
    }
  }

  /** Empty if the index does not answer for all rules of the search. */
  private Optional<Result.Read> indexed(ReviewContext review, DependentSearch search) {
    Optional<Result.Read> read =
        search
            .indexed()
            .flatMap(part ->
                indexed.find(review.workspace, review.target, part, review.eligibility::prefetch));
    if (search.mayBeIndexed()) {
      return read;
    }
    // Other rules may have more referrers, but these deny already.
    return read.filter(known -> known.referrers().result().has(search.mode()))
        .map(known -> new Result.Read(known.method(), Extent.STOPPED, known.referrers()));
  }

  private Result.Read listed(ReviewContext review, DependentSearch search) {
    review.eligibility.prefetchWorkspace();
    var last = new AtomicReference<ReferrerCollector>();
    Outcome outcome =
        lister.list(
            review.workspace,
            review.target,
            search,
            () -> {
              last.set(new ReferrerCollector(review.target, search, review.eligibility::prefetch));
              return last.get();
            });
    ReferrerCollector referrers =
        Optional.ofNullable(last.get())
            .orElseGet(() -> new ReferrerCollector(review.target, search, _ -> {}));
    if (referrers.isEmptyOfItsMode()) {
      requireWorkspace(review);
    }
    return new Result.Read(outcome.path(), outcome.extent(), referrers);
  }

  /** A server answers with an empty list for a workspace that it does not have. */
  private static void requireWorkspace(ReviewContext review) {
    if (!review.eligibility.confirmedWorkspace().exists()) {
      throw KubeFailure.unavailable(
          "the server does not say that it has logical cluster "
              + review.target.key().cluster()
              + ", so its empty answer counts for nothing; retry later, and see whether the"
              + " kubeconfig leads to another shard",
          null);
    }
  }

  private record ReviewContext(Target target, RuleEligibility eligibility, KubeReader workspace) {}
}
