package dev.mooring.syncagent.related.sync.decide;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.decide.NamespacedName;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.RecordOwner;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.resolve.decide.ReadSet;
import dev.mooring.syncagent.related.resolve.decide.RelatedPair;
import dev.mooring.syncagent.related.resolve.decide.Resolution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Everything that was read of one entry's objects for one primary.
 *
 * @param primary in kcp
 * @param resolution which objects the entry names
 * @param named for each pair of the resolution, in order
 * @param recorded for each record of the entry, sorted by copy
 */
public record RelatedFacts(
    RelatedResource entry,
    KubeObject primary,
    Resolution resolution,
    List<Named> named,
    List<CopySnapshot> recorded) {
  /**
   * @param copy with what is recorded of the copy
   * @param unrecorded as if nothing were recorded; empty if the record is of the same original
   */
  public record Named(CopySnapshot copy, Optional<CopySnapshot> unrecorded) {}

  /**
   * @param read all reads for one copy
   */
  public static RelatedFacts gather(
      RelatedResource entry,
      RecordOwner owner,
      KubeObject primary,
      Resolution resolution,
      List<RelatedRecord> records,
      Function<CopySubject, CopySnapshot> read) {
    var byCopy = new HashMap<ObjectRef, RelatedRecord>();
    records.forEach(record -> byCopy.put(record.copy(), record));
    var named = new ArrayList<Named>();
    var readOnce = new HashMap<ObjectRef, CopySnapshot>();
    for (RelatedPair pair : resolution.pairs()) {
      CopySubject subject = subject(entry, owner, pair, byCopy);
      Named one = named(subject, read);
      named.add(one);
      if (subject.isRecordOfOriginal()) {
        readOnce.put(subject.copy(), one.copy());
      }
    }
    List<CopySnapshot> recorded =
        byCopy.values().stream()
            .sorted(Comparator.comparing(record -> record.copy().toString()))
            .map(record ->
                readOnce.computeIfAbsent(record.copy(), _ -> read.apply(CopySubject.of(record))))
            .toList();
    return new RelatedFacts(entry, primary, resolution, named, recorded);
  }

  private static Named named(CopySubject subject, Function<CopySubject, CopySnapshot> read) {
    CopySnapshot copy = read.apply(subject);
    if (subject.record().isEmpty()) {
      return new Named(copy, Optional.of(copy));
    }
    return new Named(
        copy,
        subject.isRecordOfOriginal()
            ? Optional.empty()
            : Optional.of(read.apply(subject.unrecorded())));
  }

  private static CopySubject subject(
      RelatedResource entry,
      RecordOwner owner,
      RelatedPair pair,
      Map<ObjectRef, RelatedRecord> byCopy) {
    Side origin = entry.origin();
    ObjectRef copy = ref(origin.other(), entry.copyType(), owner, pair.copy());
    return new CopySubject(
        ref(origin, entry.originalType(), owner, pair.original()),
        copy,
        Optional.ofNullable(byCopy.get(copy)));
  }

  private static ObjectRef ref(
      Side side, ResourceType type, RecordOwner owner, NamespacedName name) {
    return new ObjectRef(
        side, type, side == Side.KCP ? owner.primary().cluster() : LogicalCluster.NONE, name);
  }

  /** Every object that was read, and every selector's matches. */
  public ReadSet readSet() {
    var refs = new HashSet<ObjectRef>();
    named.forEach(one -> addReads(one.copy(), refs));
    named.forEach(one -> one.unrecorded().ifPresent(copy -> addReads(copy, refs)));
    recorded.forEach(one -> addReads(one, refs));
    return new ReadSet(refs, resolution.queries());
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

  /** Divides the copies into those that the primary names, and the others. */
  public RelatedSet select() {
    var present = new ArrayList<CopySnapshot>();
    var leftovers = new ArrayList<CopySnapshot>();
    var originals = new HashMap<ObjectRef, Set<ObjectRef>>();
    for (Named one : named) {
      if (one.copy().hasLiveOriginal()) {
        present.add(one.copy());
        originals
            .computeIfAbsent(one.copy().copy().ref(), _ -> new HashSet<>())
            .add(one.copy().original().ref());
      } else {
        // Nothing is recorded of this original; it may have a finalizer all the same.
        one.unrecorded().ifPresent(leftovers::add);
      }
    }
    // Until the entry is resolved every copy stays, unless the primary is being deleted.
    if (!(resolution.outcome() instanceof Resolution.Outcome.Unclear) || primary.deleting()) {
      recorded.stream()
          .filter(one -> isLeftover(one, originals.getOrDefault(one.copy().ref(), Set.of())))
          .forEach(leftovers::add);
    }
    return new RelatedSet(entry, present, leftovers, RelatedAnnotations.of(entry, primary));
  }

  /** Also a copy that several originals claim, none of which it was made from. */
  private static boolean isLeftover(CopySnapshot copy, Set<ObjectRef> originals) {
    return originals.isEmpty()
        || originals.size() > 1 && !originals.contains(copy.original().ref());
  }
}
