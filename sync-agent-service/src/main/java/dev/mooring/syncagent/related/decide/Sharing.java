package dev.mooring.syncagent.related.decide;

import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Others;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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

  /**
   * The first by name writes the copy; one that has not recorded it yet is never the first.
   *
   * @param own this holder's record of the copy
   * @param others records of the same copy, for other holders
   * @param need asked in the order of the holders, up to the first that needs the copy
   */
  public static Others ofCopy(
      Holder holder,
      Spot original,
      Optional<RelatedRecord> own,
      List<RelatedRecord> others,
      Function<RelatedRecord, Need> need) {
    boolean ownIsDone = own.filter(RelatedRecord::isDone).isPresent();
    Optional<RelatedRecord> silent = Optional.empty();
    for (RelatedRecord other : byHolder(others)) {
      switch (need.apply(other)) {
        case NEEDED -> {
          return ownIsDone && holder.compareTo(other.holder()) < 0
              ? Others.FOLLOW
              : beside(other, original);
        }
        case UNKNOWN -> silent = silent.or(() -> Optional.of(other));
        case NOT_NEEDED -> {
          // The next one may need it.
        }
      }
    }
    return silent
        .map(first -> ownIsDone ? Others.FOLLOW : beside(first, original))
        .orElse(Others.NONE);
  }

  /**
   * @param others records of the same original, for other holders
   * @param need asked up to the first that may need the original
   */
  public static Others ofOriginal(List<RelatedRecord> others, Function<RelatedRecord, Need> need) {
    return others.stream().allMatch(other -> need.apply(other) == Need.NOT_NEEDED)
        ? Others.NONE
        : Others.FOLLOW;
  }

  private static List<RelatedRecord> byHolder(List<RelatedRecord> others) {
    return others.stream()
        .filter(RelatedRecord::isDone)
        .sorted(Comparator.comparing(RelatedRecord::holder))
        .toList();
  }

  private static Others beside(RelatedRecord leader, Spot original) {
    return leader.original().equals(original) ? Others.LEAD : Others.CONFLICT;
  }
}
