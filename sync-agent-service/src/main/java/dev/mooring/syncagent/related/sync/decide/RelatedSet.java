package dev.mooring.syncagent.related.sync.decide;

import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * All copies of one entry and primary.
 *
 * @param present in order, whose originals exist and are not being deleted
 * @param leftovers recorded copies that the primary does not name any more, and originals that are
 *     being deleted
 * @param annotations on the consumer's primary that name copies of this entry
 */
public record RelatedSet(
    RelatedResource entry,
    List<CopySnapshot> present,
    List<CopySnapshot> leftovers,
    Map<String, String> annotations) {
  public RelatedSet {
    present = List.copyOf(present);
    leftovers = List.copyOf(leftovers);
    annotations = Map.copyOf(annotations);
  }

  /** Without leftovers of these copies. */
  public RelatedSet without(Predicate<ObjectRef> copies) {
    return new RelatedSet(
        entry,
        present,
        leftovers.stream().filter(one -> !copies.test(one.copy().ref())).toList(),
        annotations);
  }
}
