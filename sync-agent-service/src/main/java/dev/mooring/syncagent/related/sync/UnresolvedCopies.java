package dev.mooring.syncagent.related.sync;

import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.resolve.decide.Resolution;
import dev.mooring.syncagent.related.sync.decide.RelatedSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Copies that entries of one primary may name and have not recorded: a copy that was created for an
 * entry that was removed, or renamed, stays until they have. One thread.
 */
final class UnresolvedCopies {
  private final Set<Kind> kinds = new HashSet<>();
  private final Set<ObjectRef> refs = new HashSet<>();

  private record Kind(Side side, String type) {}

  /** Every copy of the type: the entry could not be resolved. */
  void all(RelatedResource entry) {
    kinds.add(new Kind(entry.origin().other(), entry.copyType().qualified()));
  }

  void add(RelatedResource entry, Resolution resolution, RelatedSet copies) {
    if (resolution.outcome() instanceof Resolution.Outcome.Unclear) {
      all(entry);
    }
    copies.present().stream()
        .filter(one -> one.record().filter(RelatedRecord::isDone).isEmpty())
        .forEach(one -> refs.add(one.copy().ref()));
  }

  boolean includes(ObjectRef copy) {
    return refs.contains(copy) || kinds.contains(new Kind(copy.side(), copy.type().qualified()));
  }
}
