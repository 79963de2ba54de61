package dev.mooring.syncagent.related.decide;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Elsewhere;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Provenance;
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

  private final RelatedSnapshot.Rules rules;
  private final RelatedResource entry;
  private final Holder holder;
  private final KubeObject primary;
  private final Sightings seen;
  private final Map<Spot, RelatedRecord> records = new HashMap<>();

  /**
   * @param primary in kcp
   */
  public RelatedGathering(
      RelatedSnapshot.Rules rules, Holder holder, KubeObject primary, Sightings seen) {
    this.rules = rules;
    this.entry = rules.entry();
    this.holder = holder;
    this.primary = primary;
    this.seen = seen;
    seen.records().forEach(record -> records.put(record.copy(), record));
  }

  public RelatedSet gather(Resolution resolution) {
    var present = new ArrayList<RelatedSnapshot>();
    var leftovers = new ArrayList<RelatedSnapshot>();
    var called = new HashMap<Spot, Set<Spot>>();
    for (Pair pair : resolution.pairs()) {
      Spot original = spot(entry.origin().side(), entry.originalType(), pair.original());
      Spot copy = spot(entry.origin().side().other(), entry.copyType(), pair.copy());
      RelatedSnapshot one = snapshot(original, copy, Optional.ofNullable(records.get(copy)));
      if (one.original().filter(o -> !o.deleting()).isPresent()) {
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
  private static boolean isLeftover(RelatedRecord record, Set<Spot> originals) {
    return originals.isEmpty() || originals.size() > 1 && !originals.contains(record.original());
  }

  private RelatedSnapshot snapshot(Spot original, Spot copy, Optional<RelatedRecord> record) {
    Optional<KubeObject> there = seen.copy(copy);
    Spot held = record.map(RelatedRecord::original).orElse(original);
    return new RelatedSnapshot(
        rules,
        holder,
        original,
        seen.original(original),
        copy,
        there,
        seen.namespace(copy),
        there
            .map(object -> seen.provenance(copy, object))
            .or(() -> record.map(seen::end))
            .orElseGet(Provenance.Unknown::new),
        record,
        held.equals(original) ? Optional.empty() : seen.original(held),
        seen.othersOfCopy(original, copy, record),
        seen.othersOfOriginal(held),
        there.map(object -> seen.elsewhere(copy, object, record)).orElse(Elsewhere.NOBODY),
        record.filter(RelatedRecord::isDone).isEmpty()
            ? there.flatMap(object -> seen.earlier(original, copy, object))
            : Optional.empty(),
        there.isEmpty() ? record.flatMap(seen::emptiedWithout) : Optional.empty());
  }

  private Spot spot(Side side, ResourceType type, Place place) {
    return new Spot(
        side, type, side == Side.KCP ? holder.primary().cluster() : LogicalCluster.NONE, place);
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
