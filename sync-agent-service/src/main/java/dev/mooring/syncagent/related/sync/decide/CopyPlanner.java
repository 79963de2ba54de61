package dev.mooring.syncagent.related.sync.decide;

/**
 * Decides the next step for one copy of a related object, the same in both directions. Each
 * decision is a chain of named checks; the first that applies gives the plan:
 *
 * <ul>
 *   <li>{@link SyncChecks}: record the intention, add the finalizer to the original (in kcp),
 *       create the copy or adopt ({@link AdoptionChecks}) what has its name, then sync content and
 *       status;
 *   <li>{@link RemovalChecks}: delete the copy, remove the finalizer, delete the record.
 * </ul>
 *
 * <p>Laws: only a copy that the agent created is deleted; an original in kcp loses its finalizer
 * only when its copy is gone or belongs to others; the record is deleted last.
 */
final class CopyPlanner {
  private CopyPlanner() {}

  /** The original exists, is not being deleted, and the primary names it. */
  static RelatedPlan sync(CopySnapshot seen) {
    return Check.first(SyncChecks.CHAIN, CopyContext.of(seen)).orElseGet(Progress.Settled::new);
  }

  /** The primary does not name the copy any more; settled means that nothing is left of it. */
  static RelatedPlan remove(CopySnapshot seen) {
    return Check.first(RemovalChecks.CHAIN, CopyContext.of(seen)).orElseGet(Progress.Settled::new);
  }

  /** The copy is to be removed later; settled means that it will be found then. */
  static RelatedPlan keep(CopySnapshot seen) {
    return RemovalChecks.createdAndNotRecorded(CopyContext.of(seen))
        .orElseGet(Progress.Settled::new);
  }

  /** As {@link #remove}, for a copy that may have been created and not been recorded. */
  static RelatedPlan cleanUp(CopySnapshot seen) {
    return Check.first(RemovalChecks.WITH_PRIMARY, CopyContext.of(seen))
        .orElseGet(Progress.Settled::new);
  }
}
