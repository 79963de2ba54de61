package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.DependentLister.WrongVersion;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.lookup.decide.Shortlist;
import dev.mooring.depwebhook.reading.JoinedScans.Extent;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.runtime.client.KubeFailure;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the searches for one target's dependents returned: facts, before it is decided which rules
 * are eligible.
 *
 * @param results in the order of the searches
 * @param extent {@code STOPPED} if the results are enough to answer and searches were left out
 */
record Findings(List<Result> results, Extent extent) {
  private static final String UNREAD =
      "the dependency webhook could not read all that may still refer to it; ask again";
  private static final String UNREADABLE =
      "the dependency webhook cannot read all that may still refer to it until the platform's"
          + " operator corrects a rule or a permission";

  Findings {
    results = List.copyOf(results);
  }

  /** The result of one search. */
  sealed interface Result {
    record Read(LookupMethod method, Extent extent, ReferrerCollector referrers)
        implements Result {}

    /** Its dependents could not be read, so it is unknown whether one refers to the target. */
    record Failed(DependentSearch search, RuntimeException failure) implements Result {}
  }

  /** Those whose eligibility the answer depends on. */
  Set<Protection> protections() {
    var all = new LinkedHashSet<Protection>();
    for (Result result : results) {
      all.addAll(
          switch (result) {
            case Result.Read read -> read.referrers().protections();
            case Result.Failed(var search, _) -> search.protections();
          });
    }
    return all;
  }

  /**
   * Without some protections. Empty if another search without them may find more: reading stopped
   * for their referrers, failed for their dependents, or an index confirmed theirs only.
   */
  Optional<Findings> without(Set<Protection> ineligible) {
    var left = new ArrayList<Result>();
    for (Result result : results) {
      if (!(result instanceof Result.Read(var method, var read, var referrers))
          || method == LookupMethod.INDEX
          || read == Extent.STOPPED) {
        return Optional.empty();
      }
      left.add(new Result.Read(method, read, referrers.without(ineligible)));
    }
    return extent == Extent.STOPPED ? Optional.empty() : Optional.of(new Findings(left, extent));
  }

  /** The answer if all {@link #protections} are eligible. */
  Lookup lookup(Target target) {
    var total = new LookupResult();
    var unchecked = new ArrayList<String>();
    var unknown = new ArrayList<Lookup.Incomplete>();
    Search search = extent == Extent.ALL ? Search.COMPLETE : Search.STOPPED_EARLY;
    for (Result result : results) {
      switch (result) {
        case Result.Read(_, var read, var referrers) -> {
          total.addAll(referrers.result());
          if (read == Extent.STOPPED) {
            search = Search.STOPPED_EARLY;
          }
        }
        case Result.Failed(var failed, var failure) -> {
          String why = explained(failed, target, failure);
          if (failed.mode() == Mode.DENY) {
            unknown.add(new Lookup.Incomplete(why, isLasting(failure) ? UNREADABLE : UNREAD));
          } else {
            unchecked.add(why);
          }
        }
      }
    }
    return unknown.isEmpty() || total.has(Mode.DENY)
        ? total.complete(search, unchecked)
        : unknown.getFirst();
  }

  private static boolean isLasting(RuntimeException failure) {
    return failure instanceof WrongVersion
        || failure instanceof KubeFailure refused && refused.isDenied();
  }

  /** What could not be read, for which rules, and what to do. */
  private static String explained(DependentSearch search, Target target, RuntimeException failure) {
    String checking =
        "checking dependencies for rule %s: listing %s: "
            .formatted(
                Shortlist.of(
                    search.protections().stream()
                        .map(protection -> protection.rule().qualifiedName())
                        .toList(),
                    ", "),
                search.dependent());
    return checking
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
