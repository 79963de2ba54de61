package dev.mooring.syncagent.related.decide;

import dev.mooring.syncagent.related.decide.Progress.Refused;
import dev.mooring.syncagent.related.decide.Progress.Settled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Plans the next steps for all related objects of one entry and primary, the same in both
 * directions: first copies that the primary does not name any more are removed ({@link
 * RemovalChecks}), then each copy is synced ({@link SyncChecks}, {@link AdoptionChecks}), then the
 * consumer's primary is annotated with them. Plans are in order of precedence: one write is made,
 * the next only where a server refuses that. A copy that cannot be synced blocks no other. Of each
 * list of checks, the first that applies gives the plan.
 *
 * <p>Laws: only a copy that the agent created is deleted; an original in kcp loses its finalizer
 * only when its copy is gone or belongs to others; the record is deleted last.
 */
public final class RelatedPlanner {
  private RelatedPlanner() {}

  /** While the primary exists. */
  public static List<RelatedPlan> sync(RelatedSet seen) {
    var plans = new ArrayList<RelatedPlan>();
    if (seen.entry().cleanup().withOriginal()) {
      seen.leftovers().forEach(leftover -> plans.add(first(RemovalChecks.CHAIN, leftover)));
    }
    Map<ObjectRef, Integer> claims = new HashMap<>();
    seen.present().forEach(one -> claims.merge(one.copy().ref(), 1, Integer::sum));
    for (CopySnapshot one : seen.present()) {
      plans.add(
          claims.getOrDefault(one.copy().ref(), 0) > 1 && !isRecorded(one)
              ? ambiguous(one)
              : first(SyncChecks.CHAIN, one.withContent()));
    }
    Map<String, Object> annotations = RelatedAnnotations.changes(seen);
    if (!annotations.isEmpty()) {
      plans.add(new RelatedAction.AnnotatePrimary(annotations));
    }
    return plans;
  }

  /**
   * While the primary is being deleted and its copy is there: everything stays, since who works on
   * the copy's end may need it. What would not be found once the copy is gone is recorded.
   */
  public static List<RelatedPlan> keep(RelatedSet seen) {
    List<CopySnapshot> all = seen.all();
    Set<ObjectRef> recorded =
        all.stream()
            .flatMap(one -> one.record().stream())
            .map(RelatedRecord::copy)
            .collect(Collectors.toSet());
    return all.stream()
        .filter(_ -> seen.entry().cleanup().withPrimary())
        .filter(one -> !recorded.contains(one.copy().ref()))
        .map(one -> first(RemovalChecks.KEEPING, one))
        .toList();
  }

  /** Once the primary's copy is gone; settled means that it need not wait for this entry. */
  public static List<RelatedPlan> cleanUp(RelatedSet seen) {
    return seen.all().stream()
        .map(one ->
            seen.entry().cleanup().withPrimary()
                ? first(RemovalChecks.WITH_PRIMARY, one)
                : disown(one))
        .toList();
  }

  private static RelatedPlan first(List<Check> chain, CopySnapshot seen) {
    return Check.first(chain, seen).orElseGet(Settled::new);
  }

  private static RelatedPlan disown(CopySnapshot one) {
    return one.record().<RelatedPlan>map(RelatedAction.Disown::new).orElseGet(Settled::new);
  }

  /** Recorded for this original, and so for no other that claims the copy. */
  private static boolean isRecorded(CopySnapshot one) {
    return one.record()
        .filter(record -> record.ownership() != Ownership.INTENDED)
        .filter(record -> record.original().equals(one.original().ref()))
        .isPresent();
  }

  private static RelatedPlan ambiguous(CopySnapshot one) {
    return new Refused(
        "RelatedAmbiguous",
        ("Several objects of related entry \"%s\" would be copied to \"%s\", among them"
                + " \"%s\". Give each a name of its own.")
            .formatted(
                one.rules().entry().identifier(),
                one.copy().ref().namespacedName(),
                one.original().ref().namespacedName()));
  }
}
