package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.lookup.DeletionQuery.Claimed;
import dev.mooring.depwebhook.lookup.DependentLister.Listing;
import dev.mooring.depwebhook.lookup.DependentLister.WrongVersion;
import dev.mooring.depwebhook.lookup.SearchResults.SearchResult;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.Mode;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Finds a target's referrers in two steps: {@link #find} reads, {@link #eligible} keeps what
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
public final class DependentLookup implements DeletionGate {
  private final Workspaces<KubeReader> workspaces;
  private final IndexedSearch indexed;
  private final DependentLister lister;
  private final MessageRedactor redactor;
  private final InstantSource clock;
  private final LookupListener listener;

  /**
   * @param workspaces reads of one consumer's workspace
   */
  public DependentLookup(
      Workspaces<KubeReader> workspaces,
      ReferenceIndexes indexes,
      MessageRedactor redactor,
      InstantSource clock,
      LookupListener listener) {
    this.workspaces = workspaces;
    this.indexed = new IndexedSearch(indexes);
    this.lister = new DependentLister(clock);
    this.redactor = redactor;
    this.clock = clock;
    this.listener = listener;
  }

  @Override
  public LookupResult findReferrers(DeletionQuery query) {
    LookupResult found = eligible(query);
    if (found.allowsDeletion() && query.claimed().isPresent()) {
      found = denial(query, query.claimed().get()).orElse(found);
    }
    return redactor.redact(query, found);
  }

  private LookupResult eligible(DeletionQuery query) {
    List<DependentSearch> left = query.searches();
    while (true) {
      SearchResults results = find(query, left);
      results.protections().forEach(query.eligibility()::prefetch);
      Set<MatchedRule> ineligible =
          results.protections().stream()
              .filter(Predicate.not(query.eligibility()::isEligible))
              .collect(Collectors.toSet());
      if (ineligible.isEmpty()) {
        return results.result(query.target());
      }
      Optional<SearchResults> rest = results.without(ineligible);
      if (rest.isPresent()) {
        return rest.get().result(query.target());
      }
      left = left.stream().flatMap(search -> search.without(ineligible).stream()).toList();
    }
  }

  /**
   * Reads, as if all rules were eligible, until that is enough to answer.
   *
   * @throws KubeFailure if the deadline expires first
   */
  private SearchResults find(DeletionQuery query, List<DependentSearch> searches) {
    KubeReader workspace = workspaces.in(query.target().key().cluster());
    var results = new SearchResults();
    List<Listing> listings =
        searches.stream().map(search -> new Listing(workspace, query, search)).toList();
    try (var lookups = new ParallelLookups(this, listings)) {
      while (lookups.hasNext()) {
        if (results.areEnough()) {
          results.stop();
          break;
        }
        results.add(lookups.next(query.deadline()));
        if (results.isStopped()) {
          lookups.beginNoMore();
        }
      }
    }
    return results;
  }

  /** On threads of {@link ParallelLookups}. */
  SearchResult search(Listing listing) {
    Instant start = clock.instant();
    var method = LookupMethod.LIST;
    try {
      SearchResult.Read read = indexed(listing).orElseGet(() -> listed(listing));
      method = read.method();
      return read;
    } catch (KubeFailure | WrongVersion failure) {
      return new SearchResult.Failed(listing.search(), failure);
    } catch (RuntimeException defect) {
      throw new IllegalStateException(listing.search().description() + " failed", defect);
    } finally {
      listener.looked(method, Duration.between(start, clock.instant()));
    }
  }

  /** Empty if the index does not answer for all rules of the search. */
  private Optional<SearchResult.Read> indexed(Listing listing) {
    DependentSearch search = listing.search();
    Optional<SearchResult.Read> read =
        search.indexed().flatMap(part -> indexed.find(listing.workspace(), listing.query(), part));
    if (search.mayBeIndexed()) {
      return read;
    }
    // Other rules may have more referrers, but these deny already.
    return read.filter(known -> known.referrers().hasSeverest())
        .map(known ->
            new SearchResult.Read(known.method(), Search.STOPPED_EARLY, known.referrers()));
  }

  private SearchResult.Read listed(Listing listing) {
    listing.query().eligibility().prefetchWorkspace();
    SearchResult.Read read = lister.list(listing);
    if (!read.referrers().hasSeverest()) {
      requireWorkspace(listing.query());
    }
    return read;
  }

  /** A server answers with an empty list for a workspace that it does not have. */
  private static void requireWorkspace(DeletionQuery query) {
    if (!query.eligibility().confirmedWorkspace().exists()) {
      throw KubeFailure.unavailable(
          ("the server does not say that it has logical cluster %s, so its empty answer counts for"
                  + " nothing; retry later, and see whether the kubeconfig leads to another shard")
              .formatted(query.target().key().cluster()),
          null);
    }
  }

  /** By a claimed referrer, which an index may not show yet. */
  private static Optional<LookupResult> denial(DeletionQuery query, Claimed referrer) {
    for (DependentSearch search : query.searches()) {
      if (search.dependent().equals(referrer.type())) {
        List<String> rules =
            search.matchingProtections(referrer.object(), query.target()).stream()
                .filter(protection -> protection.mode() == Mode.DENY)
                .filter(query.eligibility()::isEligible)
                .map(protection -> protection.rule().qualifiedName())
                .toList();
        if (!rules.isEmpty()) {
          var blocker =
              new Blocker(search.kind(), referrer.object().namespace(), referrer.object().name());
          var blockers = Blockers.of(List.of(blocker), Blockers.Search.STOPPED_EARLY);
          return Optional.of(
              new LookupResult.Complete(
                  Map.of(Mode.DENY, new LookupResult.Found(blockers, rules, List.of())),
                  List.of()));
        }
      }
    }
    return Optional.empty();
  }
}
