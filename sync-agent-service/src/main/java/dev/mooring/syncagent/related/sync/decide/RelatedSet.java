package dev.mooring.syncagent.related.sync.decide;

import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * All objects of one entry beside one primary.
 *
 * @param present in order, whose originals exist and are to stay
 * @param leftovers recorded copies that nothing calls for any more, and originals that go
 * @param notes annotations on the consumer's primary that name copies of this entry
 */
public record RelatedSet(
    RelatedResource entry,
    List<CopySnapshot> present,
    List<CopySnapshot> leftovers,
    Map<String, String> notes) {
  public RelatedSet {
    Objects.requireNonNull(entry, "entry");
    present = List.copyOf(present);
    leftovers = List.copyOf(leftovers);
    notes = Map.copyOf(notes);
  }

  /** Without what is left over of these copies. */
  public RelatedSet without(Predicate<ObjectRef> copies) {
    return new RelatedSet(
        entry,
        present,
        leftovers.stream().filter(one -> !copies.test(one.copy().ref())).toList(),
        notes);
  }
}
