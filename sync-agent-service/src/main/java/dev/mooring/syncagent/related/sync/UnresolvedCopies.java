package dev.mooring.syncagent.related.sync;

import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.resolve.decide.Resolution;
import java.util.HashSet;
import java.util.Set;

/**
 * Copies beside one primary that its entries may call for without having recorded that: what was
 * made of them for an entry that is no longer there, or is called otherwise now, stays until they
 * have. One thread.
 */
public final class UnresolvedCopies {
  private final Set<Kind> kinds = new HashSet<>();
  private final Set<ObjectRef> refs = new HashSet<>();

  private record Kind(Side side, String type) {}

  /** Nothing can be told of the entry. */
  public void all(RelatedResource entry) {
    kinds.add(new Kind(entry.origin().other(), entry.copyType().qualified()));
  }

  public void of(RelatedResource entry, Gathered gathered) {
    if (gathered.resolution().outcome() instanceof Resolution.Outcome.Unclear) {
      all(entry);
    }
    gathered.set().present().stream()
        .filter(one -> one.record().filter(RelatedRecord::isDone).isEmpty())
        .forEach(one -> refs.add(one.copy().ref()));
  }

  public boolean mayCallFor(ObjectRef copy) {
    return refs.contains(copy) || kinds.contains(new Kind(copy.side(), copy.type().qualified()));
  }
}
