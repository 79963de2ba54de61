package dev.mooring.syncagent.related.decide;

import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Others;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Decides what others' records of one object mean for one holder of it.
 *
 * <p>Laws: an object that anybody needs, or may need, is neither deleted nor released: it is left
 * to those whose records remain, and they look at it once they can tell. Nobody waits for one who
 * cannot tell, and such a one never takes the lead.
 */
public final class Sharing {
  private Sharing() {}

  /** Whether another primary calls for what is recorded for it. */
  public enum Need {
    NEEDED,
    NOT_NEEDED,
    /** Its sync does not run, or does not know everything yet. */
    UNKNOWN
  }

  /** What is recorded for another holder. */
  public record Other(RelatedRecord record, Need need) {}

  /**
   * The first by name writes the copy; one that has not recorded it yet is never the first.
   *
   * @param own this holder's record of the copy
   * @param others of the same copy, for other holders
   */
  public static Others ofCopy(
      Holder holder, Spot original, Optional<RelatedRecord> own, List<Other> others) {
    boolean ownIsDone = own.filter(RelatedRecord::isDone).isPresent();
    Optional<RelatedRecord> leader = first(others, Need.NEEDED);
    if (leader.isPresent()) {
      return ownIsDone && holder.compareTo(leader.get().holder()) < 0
          ? Others.FOLLOW
          : beside(leader.get(), original);
    }
    return first(others, Need.UNKNOWN)
        .map(silent -> ownIsDone ? Others.FOLLOW : beside(silent, original))
        .orElse(Others.NONE);
  }

  /**
   * @param others of the same original, for other holders
   */
  public static Others ofOriginal(List<Other> others) {
    return others.stream().allMatch(other -> other.need() == Need.NOT_NEEDED)
        ? Others.NONE
        : Others.FOLLOW;
  }

  private static Optional<RelatedRecord> first(List<Other> others, Need need) {
    return others.stream()
        .filter(other -> other.need() == need)
        .map(Other::record)
        .filter(RelatedRecord::isDone)
        .min(Comparator.comparing(RelatedRecord::holder));
  }

  private static Others beside(RelatedRecord leader, Spot original) {
    return leader.original().equals(original) ? Others.LEAD : Others.CONFLICT;
  }
}
