package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.RelatedResource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All copies of one entry and primary, and what was read of them.
 *
 * @param resolution which objects the entry names
 * @param present in order, whose originals exist and are not being deleted
 * @param leftovers recorded copies that the primary does not name any more, and originals that are
 *     being deleted
 * @param annotations on the consumer's primary that name copies of this entry
 * @param readSet every object that was read, and every selector's matches
 */
public record RelatedSet(
    RelatedResource entry,
    Resolution resolution,
    List<CopySnapshot> present,
    List<CopySnapshot> leftovers,
    Map<String, Object> annotations,
    ReadSet readSet) {
  public RelatedSet {
    present = List.copyOf(present);
    leftovers = List.copyOf(leftovers);
    annotations = Map.copyOf(annotations);
  }

  /**
   * Reads all copies, and divides them into those that the primary names, and the others.
   *
   * @param primary in kcp
   * @param records of the entry
   * @param read all reads for one copy, by the record that the decision uses
   */
  public static RelatedSet gather(
      RelatedResource entry,
      KubeObject primary,
      Resolution resolution,
      List<RelatedRecord> records,
      BiFunction<RelatedPair, Optional<RelatedRecord>, CopySnapshot> read) {
    var byCopy = new HashMap<ObjectRef, RelatedRecord>();
    records.forEach(record -> byCopy.put(record.copy(), record));
    var refs = new HashSet<ObjectRef>();
    var present = new ArrayList<CopySnapshot>();
    var leftovers = new ArrayList<CopySnapshot>();
    var originals = new HashMap<ObjectRef, Set<ObjectRef>>();
    var readOnce = new HashMap<ObjectRef, CopySnapshot>();
    for (RelatedPair pair : resolution.pairs()) {
      Optional<RelatedRecord> record = Optional.ofNullable(byCopy.get(pair.copy()));
      boolean isRecorded = record.map(RelatedPair::of).filter(pair::equals).isPresent();
      CopySnapshot copy = read.apply(pair, record);
      addReads(copy, refs);
      if (isRecorded) {
        readOnce.put(pair.copy(), copy);
      }
      if (copy.hasLiveOriginal()) {
        present.add(copy);
        originals.computeIfAbsent(pair.copy(), _ -> new HashSet<>()).add(pair.original());
      } else if (!isRecorded) {
        // Nothing is recorded of this original; it may have a finalizer all the same.
        leftovers.add(record.isEmpty() ? copy : read.apply(pair, Optional.empty()));
      }
    }
    List<CopySnapshot> recorded =
        byCopy.values().stream()
            .sorted(Comparator.comparing(record -> record.copy().toString()))
            .map(record ->
                readOnce.computeIfAbsent(
                    record.copy(), _ -> read.apply(RelatedPair.of(record), Optional.of(record))))
            .toList();
    recorded.forEach(copy -> addReads(copy, refs));
    // Until the entry is resolved every copy stays, unless the primary is being deleted.
    if (!(resolution.outcome() instanceof Resolution.Outcome.Unclear) || primary.deleting()) {
      recorded.stream()
          .filter(one -> isLeftover(one, originals.getOrDefault(one.copy().ref(), Set.of())))
          .forEach(leftovers::add);
    }
    return new RelatedSet(
        entry,
        resolution,
        present,
        leftovers,
        RelatedAnnotations.of(entry, primary),
        new ReadSet(refs, resolution.queries()));
  }

  private static void addReads(CopySnapshot one, Set<ObjectRef> refs) {
    refs.add(one.original().ref());
    refs.add(one.copy().ref());
    one.record().ifPresent(record -> refs.add(record.original()));
    switch (one.copy().namespace()) {
      case ABSENT, TERMINATING -> refs.add(one.copy().ref().namespaceRef());
      case PRESENT, NOT_NEEDED -> {}
    }
  }

  /** Also a copy that several originals claim, none of which it was made from. */
  private static boolean isLeftover(CopySnapshot copy, Set<ObjectRef> originals) {
    return originals.isEmpty()
        || originals.size() > 1 && !originals.contains(copy.original().ref());
  }

  List<CopySnapshot> all() {
    return Stream.of(leftovers, present).flatMap(List::stream).toList();
  }

  /** Without leftovers of these copies. */
  public RelatedSet without(Predicate<ObjectRef> copies) {
    return new RelatedSet(
        entry,
        resolution,
        present,
        leftovers.stream().filter(one -> !copies.test(one.copy().ref())).toList(),
        annotations,
        readSet);
  }
}
