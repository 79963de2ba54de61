package dev.mooring.syncagent.related.sync.decide;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.record.decide.NamespacedName;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.OtherAgents;
import dev.mooring.syncagent.related.record.decide.RecordOwner;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.resolve.decide.RelatedPair;
import dev.mooring.syncagent.related.resolve.decide.Resolution;
import dev.mooring.syncagent.related.sync.decide.CopySnapshot.Provenance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Puts what is seen of one entry's objects beside what the primary calls for: which copies are to
 * be, and which are left over.
 */
public final class RelatedGathering {
  private static final Pattern NOTE =
      Pattern.compile(Pattern.quote(SyncMarks.RELATED_PREFIX) + "(.+)\\.\\d+");

  private final CopySnapshot.Rules rules;
  private final RelatedResource entry;
  private final RecordOwner owner;
  private final KubeObject primary;
  private final Sightings seen;
  private final Map<ObjectRef, RelatedRecord> records = new HashMap<>();

  /**
   * @param primary in kcp
   */
  public RelatedGathering(
      CopySnapshot.Rules rules, RecordOwner owner, KubeObject primary, Sightings seen) {
    this.rules = rules;
    this.entry = rules.entry();
    this.owner = owner;
    this.primary = primary;
    this.seen = seen;
    seen.records().forEach(record -> records.put(record.copy(), record));
  }

  public RelatedSet gather(Resolution resolution) {
    var present = new ArrayList<CopySnapshot>();
    var leftovers = new ArrayList<CopySnapshot>();
    var called = new HashMap<ObjectRef, Set<ObjectRef>>();
    for (RelatedPair pair : resolution.pairs()) {
      ObjectRef original = ref(entry.origin(), entry.originalType(), pair.original());
      ObjectRef copy = ref(entry.origin().other(), entry.copyType(), pair.copy());
      CopySnapshot one = snapshot(original, copy, Optional.ofNullable(records.get(copy)));
      if (one.hasLiveOriginal()) {
        present.add(one);
        called.computeIfAbsent(copy, _ -> new HashSet<>()).add(original);
      } else if (one.record().filter(r -> r.original().equals(original)).isEmpty()) {
        // Nothing is recorded of this original; it may be held all the same.
        leftovers.add(snapshot(original, copy, Optional.empty()));
      }
    }
    // While it is not known what is called for, all stays; but not beside a primary that goes.
    if (!(resolution.outcome() instanceof Resolution.Outcome.Unclear) || primary.deleting()) {
      new TreeMap<>(byName())
          .values().stream()
              .filter(record -> isLeftover(record, called.getOrDefault(record.copy(), Set.of())))
              .forEach(record ->
                  leftovers.add(snapshot(record.original(), record.copy(), Optional.of(record))));
    }
    return new RelatedSet(entry, present, leftovers, notes());
  }

  private Map<String, RelatedRecord> byName() {
    var sorted = new HashMap<String, RelatedRecord>();
    records.forEach((copy, record) -> sorted.put(copy.toString(), record));
    return sorted;
  }

  /** A copy that several call for, but not the original it was made of, is nobody's. */
  private static boolean isLeftover(RelatedRecord record, Set<ObjectRef> originals) {
    return originals.isEmpty() || originals.size() > 1 && !originals.contains(record.original());
  }

  private CopySnapshot snapshot(
      ObjectRef original, ObjectRef copy, Optional<RelatedRecord> record) {
    Optional<KubeObject> there = seen.copy(copy);
    ObjectRef held = record.map(RelatedRecord::original).orElse(original);
    return new CopySnapshot(
        rules,
        owner,
        new CopySnapshot.Original(original, seen.original(original)),
        new CopySnapshot.Copy(
            copy,
            there,
            seen.namespace(copy),
            there
                .map(object -> seen.provenance(copy, object))
                .or(() -> record.map(seen::end))
                .orElseGet(Provenance.Unknown::new)),
        CopyState.of(
            record,
            new CopyState.Remains(
                held.equals(original) ? Optional.empty() : seen.original(held),
                there.isEmpty() ? record.flatMap(seen::emptiedWithout) : Optional.empty()),
            record.filter(RelatedRecord::isDone).isEmpty()
                ? there.flatMap(object -> seen.earlier(original, copy, object))
                : Optional.empty()),
        new CopySnapshot.Sharers(
            seen.otherOwnersOfCopy(original, copy, record),
            seen.otherOwnersOfOriginal(held),
            there.map(object -> seen.otherAgents(copy, object, record)).orElse(OtherAgents.NONE)));
  }

  private ObjectRef ref(Side side, ResourceType type, NamespacedName place) {
    return new ObjectRef(
        side, type, side == Side.KCP ? owner.primary().cluster() : LogicalCluster.NONE, place);
  }

  private Map<String, String> notes() {
    var notes = new HashMap<String, String>();
    primary
        .annotations()
        .forEach((key, value) -> {
          if (entryOf(key).filter(entry.identifier()::equals).isPresent()) {
            notes.put(key, value);
          }
        });
    return notes;
  }

  /** The identifiers of entries whose copies are named on the primary. */
  public static Set<String> noted(KubeObject primary) {
    return primary.annotations().keySet().stream()
        .flatMap(key -> entryOf(key).stream())
        .collect(Collectors.toSet());
  }

  /** Empty if the annotation is none that names a copy. */
  private static Optional<String> entryOf(String annotation) {
    Matcher note = NOTE.matcher(annotation);
    return note.matches() ? Optional.of(note.group(1)) : Optional.empty();
  }
}
