package dev.mooring.syncagent.related;

import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.related.RelatedReader.Gathered;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.Resolution;
import java.util.HashSet;
import java.util.Set;

/**
 * Copies beside one primary that its entries may call for without having recorded that: what was
 * made of them for an entry that is no longer there, or is called otherwise now, stays until they
 * have. One thread.
 */
final class Undecided {
  private final Set<Kind> kinds = new HashSet<>();
  private final Set<Spot> spots = new HashSet<>();

  private record Kind(Side side, String type) {}

  /** Nothing can be told of the entry. */
  void all(RelatedResource entry) {
    kinds.add(new Kind(entry.origin().side().other(), entry.copyType().qualified()));
  }

  void of(RelatedResource entry, Gathered gathered) {
    if (gathered.resolution().outcome() instanceof Resolution.Outcome.Unclear) {
      all(entry);
    }
    gathered.set().present().stream()
        .filter(one -> one.record().filter(RelatedRecord::isDone).isEmpty())
        .forEach(one -> spots.add(one.copySpot()));
  }

  boolean mayCallFor(Spot copy) {
    return spots.contains(copy) || kinds.contains(new Kind(copy.side(), copy.type().qualified()));
  }
}
