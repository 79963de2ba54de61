package dev.mooring.syncagent.related.decide;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides what others' records of one object mean for one owner of it.
 *
 * <p>Laws: an object that any owner needs, or may need, is neither deleted nor loses its finalizer;
 * owners that may need it decide once they know. No owner waits for one whose need is unknown, and
 * such an owner never writes.
 */
public final class Sharing {
  private Sharing() {}

  /** Whether another primary still names what is recorded for it. */
  public enum Need {
    NEEDED,
    NOT_NEEDED,
    /** Its sync does not run, or does not know everything yet, or it waits for its copy's end. */
    UNKNOWN
  }

  /**
   * The first by name writes the copy; one that has not recorded it yet is never the first.
   *
   * @param own this owner's record of the copy
   * @param others records of the same copy, for other owners
   * @param need asked in the order of the owners, up to the first that needs the copy
   */
  public static OtherOwners ofCopy(
      RecordOwner owner,
      ObjectRef original,
      Optional<RelatedRecord> own,
      List<RelatedRecord> others,
      Function<RelatedRecord, Need> need) {
    boolean ownIsDone = own.filter(RelatedRecord::isDone).isPresent();
    Optional<RelatedRecord> unknown = Optional.empty();
    for (RelatedRecord other : byOwner(others)) {
      switch (need.apply(other)) {
        case NEEDED -> {
          return ownIsDone && owner.compareTo(other.owner()) < 0
              ? OtherOwners.WE_WRITE
              : ofWriter(other, original);
        }
        case UNKNOWN -> unknown = unknown.or(() -> Optional.of(other));
        case NOT_NEEDED -> {
          // The next one may need it.
        }
      }
    }
    return unknown
        .map(other -> ownIsDone ? OtherOwners.WE_WRITE : ofWriter(other, original))
        .orElse(OtherOwners.NONE);
  }

  /**
   * @param others records of the same original, for other owners
   * @param need asked up to the first that may need the original
   */
  public static OtherOwners ofOriginal(
      List<RelatedRecord> others, Function<RelatedRecord, Need> need) {
    return others.stream().allMatch(other -> need.apply(other) == Need.NOT_NEEDED)
        ? OtherOwners.NONE
        : OtherOwners.WE_WRITE;
  }

  private static List<RelatedRecord> byOwner(List<RelatedRecord> others) {
    return others.stream()
        .filter(RelatedRecord::isDone)
        .sorted(Comparator.comparing(RelatedRecord::owner))
        .toList();
  }

  private static OtherOwners ofWriter(RelatedRecord leader, ObjectRef original) {
    return leader.original().equals(original) ? OtherOwners.THEY_WRITE : OtherOwners.CONFLICT;
  }
}
