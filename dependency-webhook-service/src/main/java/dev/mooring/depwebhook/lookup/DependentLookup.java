package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.index.decide.TypeInWorkspace;
import dev.mooring.depwebhook.lookup.DependentLister.Outcome;
import dev.mooring.depwebhook.lookup.DependentLister.WrongVersion;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.reading.JoinedScans.Extent;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Looks at all dependent types side by side, at each by the cheapest way that its rules allow:
 *
 * <ol>
 *   <li>an index that knows a blocker is believed once a live read of that very object agrees;
 *   <li>an index that knows none is believed where all rules say {@code consistency: indexed};
 *   <li>else the dependents are listed as they are now.
 * </ol>
 *
 * <p>A namespaced target is referred to from its own namespace, by cluster-scoped dependents, or
 * from wherever a rule's references may name namespaces; a cluster-scoped target from anywhere. A
 * list that is not found proves nothing: discovery says whether the type is not served in this
 * workspace. Once more has been found than a message names, the rest is not read.
 */
public final class DependentLookup implements ReferrerLookup {
  /** Blockers of an index that are looked at before it is given up as outdated. */
  private static final int CONFIRMATIONS_MAX = 3;

  /** Blockers of an index that are counted; each costs as much as it takes to read the rules. */
  private static final int COUNTED_MAX = 1_000;

  private final Function<LogicalCluster, KubeReader> workspaces;
  private final ReferenceIndexes indexes;
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
    this.indexes = indexes;
    this.lister = new DependentLister(clock);
    this.clock = clock;
    this.listener = listener;
  }

  @Override
  public Lookup referrers(
      Target target, List<DependentSearch> searches, RuleEligibility eligibility) {
    var asked = new Asked(target, eligibility, workspaces.apply(target.key().cluster()));
    try (var looks = new ParallelLookups<>(searches, search -> look(asked, search))) {
      return merged(asked, looks);
    }
  }

  /** In the order of the searches, whichever of them were faster. */
  private static Lookup merged(Asked asked, ParallelLookups<DependentSearch, Looked> looks) {
    var tally = new LookupResult();
    var unchecked = new ArrayList<String>();
    Search extent = Search.COMPLETE;
    Optional<Lookup> unknown = Optional.empty();
    while (looks.hasNext()) {
      if (tally.enough(Mode.DENY)) {
        return tally.complete(Search.STOPPED_EARLY, unchecked);
      }
      switch (looks.next()) {
        case Looked.Read(var found, var read) -> {
          tally.addAll(found);
          if (read == Extent.STOPPED) {
            extent = Search.STOPPED_EARLY;
          }
        }
        case Looked.Failed(var search, var failure) -> {
          if (unknown.isEmpty()) {
            unknown = unknown(asked, search, failure, unchecked);
          }
        }
      }
      if (unknown.isPresent()) {
        // What is known to refuse does so whatever else there is.
        if (tally.has(Mode.DENY)) {
          return tally.complete(Search.STOPPED_EARLY, unchecked);
        }
        looks.beginNoMore();
      }
    }
    return unknown.isPresent() ? unknown.get() : tally.complete(extent, unchecked);
  }

  /** Also by a thread of its own, beside others of the same review. */
  private Looked look(Asked asked, DependentSearch search) {
    var tally = new LookupResult();
    Instant begin = clock.instant();
    var path = LookupMethod.LIST;
    try {
      Outcome outcome = look(asked, search, tally);
      path = outcome.path();
      return new Looked.Read(tally, outcome.extent());
    } catch (KubeFailure | WrongVersion failure) {
      return new Looked.Failed(search, failure);
    } finally {
      listener.looked(path, Duration.between(begin, clock.instant()));
    }
  }

  private Outcome look(Asked asked, DependentSearch search, LookupResult tally) {
    Optional<Known> indexed = search.indexed().flatMap(part -> indexed(asked, part));
    if (indexed.isPresent() && search.mayBeIndexed()) {
      tally.addAll(indexed.get().tally);
      return new Outcome(indexed.get().extent, LookupMethod.INDEX);
    }
    if (indexed.isPresent() && indexed.get().tally.has(search.mode())) {
      // Other rules may have found more, but this is refused anyway.
      tally.addAll(indexed.get().tally);
      return new Outcome(Extent.STOPPED, LookupMethod.INDEX);
    }
    return listed(asked, search, tally);
  }

  private Optional<Known> indexed(Asked asked, DependentSearch search) {
    return indexes
        .usable(
            new TypeInWorkspace(asked.target.key().cluster(), search.dependent()),
            search.readers(),
            search.mask())
        .flatMap(index -> indexed(asked, search, index.candidates(asked.target)));
  }

  /** What the index says, if a live read of one blocker agrees; empty if the index is behind. */
  private static Optional<Known> indexed(
      Asked asked, DependentSearch search, List<KubeObject> candidates) {
    var tally = new LookupResult();
    var confirmed = new HashSet<Mode>();
    var idle = new HashSet<Protection>();
    int doubted = 0;
    int looked = 0;
    for (KubeObject candidate : candidates) {
      requireUse();
      if (++looked > COUNTED_MAX && tally.enough(search.mode())) {
        return Optional.of(new Known(tally, Extent.STOPPED));
      }
      List<Protection> by = new ArrayList<>(search.keptBy(candidate, asked.target));
      by.removeAll(idle);
      if (by.isEmpty()) {
        continue;
      }
      // Beside the read of the object: a refusal needs both, and each takes as long.
      by.forEach(asked.eligibility::prefetch);
      if (!by.stream().map(Protection::mode).allMatch(confirmed::contains)) {
        Optional<KubeObject> live;
        try {
          live = asked.workspace.find(search.dependent(), candidate.namespace(), candidate.name());
        } catch (KubeFailure failure) {
          if (!ServedTypes.notFound(failure)) {
            throw failure;
          }
          // The type is served no more, in this version at least: a list finds out.
          return Optional.empty();
        }
        by = live.map(now -> search.keptBy(now, asked.target)).orElse(List.of());
        if (by.isEmpty()) {
          if (++doubted == CONFIRMATIONS_MAX) {
            return Optional.empty();
          }
          continue;
        }
      }
      List<Protection> counting = by.stream().filter(asked.eligibility::isEligible).toList();
      by.stream().filter(protection -> !counting.contains(protection)).forEach(idle::add);
      if (!counting.isEmpty()) {
        counting.forEach(protection -> confirmed.add(protection.mode()));
        tally.add(Referrers.of(search, candidate), counting);
      }
    }
    return Optional.of(new Known(tally, Extent.ALL));
  }

  /** What reads tells of itself is asked here, where nothing may be read for long. */
  private static void requireUse() {
    if (Thread.currentThread().isInterrupted()) {
      throw new KubeFailure(
          KubeFailure.Kind.UNAVAILABLE, 0, "", "looking was given up", null, null);
    }
  }

  private Outcome listed(Asked asked, DependentSearch search, LookupResult tally) {
    // Beside the list, which takes as long.
    asked.eligibility.prefetchWorkspace();
    var last = new AtomicReference<ReferrerCollector>();
    Outcome outcome =
        lister.list(
            asked.workspace,
            asked.target,
            search,
            () -> {
              last.set(new ReferrerCollector(asked.target, search, asked.eligibility));
              return last.get();
            });
    Optional.ofNullable(last.get()).ifPresent(sighting -> tally.addAll(sighting.counting()));
    if (!tally.has(search.mode())) {
      requireExistence(asked);
    }
    return outcome;
  }

  /** A list of a workspace that the server does not have is empty. */
  private static void requireExistence(Asked asked) {
    if (!asked.eligibility.confirmedWorkspace().exists()) {
      throw new KubeFailure(
          KubeFailure.Kind.UNAVAILABLE,
          0,
          "",
          "the server does not say that it has logical cluster "
              + asked.target.key().cluster()
              + ", so its empty answer counts for nothing; retry later, and see whether the"
              + " kubeconfig leads to another shard",
          null,
          null);
    }
  }

  /** Empty if what could not be read matters to no rule that refuses. */
  private static Optional<Lookup> unknown(
      Asked asked, DependentSearch search, RuntimeException failure, List<String> unchecked) {
    search.protections().forEach(asked.eligibility::prefetch);
    List<Protection> counting =
        search.protections().stream().filter(asked.eligibility::isEligible).toList();
    if (counting.isEmpty()) {
      return Optional.empty();
    }
    String text = LookupFailures.explained(search, counting, asked.target, failure);
    if (counting.stream().noneMatch(protection -> protection.mode() == Mode.DENY)) {
      unchecked.add(text);
      return Optional.empty();
    }
    return Optional.of(new Lookup.Incomplete(text));
  }

  /** What came of one search. */
  private sealed interface Looked {
    record Read(LookupResult tally, Extent extent) implements Looked {}

    /** It could not be read, so nobody knows. */
    record Failed(DependentSearch search, RuntimeException failure) implements Looked {}
  }

  /** What an index has shown. */
  private record Known(LookupResult tally, Extent extent) {}

  /** What one review is about. */
  private record Asked(Target target, RuleEligibility eligibility, KubeReader workspace) {}
}
