package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.KnownDependents;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.JoinedScans.Seeker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What the last long lists of dependents have shown, for the next lookup: it asks for the versions
 * of all and need only read those that have another one by now. Holds so many dependents and no
 * more; those not asked for the longest time go first. Thread-safe.
 */
public final class DependentMemory {
  /**
   * A version has the same content for as long as its type has the same schema: a new one may give
   * a field another default.
   */
  static final Duration TRUSTED_MAX = Duration.ofMinutes(1);

  /** A shorter list costs hardly more than the versions of what is in it. */
  static final int LEAST = 1_000;

  private static final Duration A_LITTLE = Duration.ofSeconds(1);

  private final int max;
  private final InstantSource clock;
  private final Map<Place, Memory> memories = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<Place> beingTaken = new HashSet<>();
  private int held;

  /**
   * What was listed, and for whom.
   *
   * @param namespace empty for all
   * @param readers what the names were read by
   */
  record Place(
      LogicalCluster cluster, ResourceType type, String namespace, List<ReferenceReader> readers) {}

  /**
   * @param trusted how long so many will usually not have changed that it helps nobody
   */
  private record Memory(KnownDependents dependents, Instant asOf, Duration trusted) {}

  /**
   * @param max dependents in all; 0 to remember nothing
   * @param clock that does not jump
   */
  public DependentMemory(int max, InstantSource clock) {
    if (max < 0) {
      throw new IllegalArgumentException("dependents to remember are not negative: " + max);
    }
    this.max = max;
    this.clock = Objects.requireNonNull(clock, "clock");
  }

  /** Empty if nothing is known that is likely to help. */
  synchronized Optional<KnownDependents> recall(Place place) {
    return Optional.ofNullable(memories.get(place))
        .filter(memory -> age(memory).compareTo(memory.trusted) <= 0)
        .map(Memory::dependents);
  }

  /** What was recalled has helped: it may be somewhat older next time. */
  synchronized void helped(Place place) {
    memories.computeIfPresent(
        place,
        (_, memory) ->
            new Memory(
                memory.dependents,
                memory.asOf,
                longer(memory.trusted, age(memory).multipliedBy(2).plus(A_LITTLE))));
  }

  /** Too many had changed since: what is as old as that is not recalled any more. */
  synchronized void misled(Place place) {
    memories.computeIfPresent(
        place, (_, memory) -> new Memory(memory.dependents, memory.asOf, age(memory).dividedBy(2)));
  }

  /** To be closed. One list of a place is taken down at a time. */
  synchronized Taking take(Place place, Seeker seeker) {
    return new Taking(place, seeker);
  }

  /** How many dependents are remembered. */
  synchronized int size() {
    return held;
  }

  private Duration age(Memory memory) {
    return Duration.between(memory.asOf, clock.instant());
  }

  private static Duration longer(Duration one, Duration other) {
    Duration longer = Collections.max(List.of(one, other));
    return longer.compareTo(TRUSTED_MAX) > 0 ? TRUSTED_MAX : longer;
  }

  private synchronized void remember(Place place, KnownDependents dependents, Instant asOf) {
    Memory before = memories.remove(place);
    if (before != null) {
      held -= before.dependents.size();
    }
    if (dependents.size() < LEAST) {
      return;
    }
    memories.put(
        place, new Memory(dependents, asOf, before == null ? TRUSTED_MAX : before.trusted));
    held += dependents.size();
    for (Iterator<Memory> oldest = memories.values().iterator(); held > max; ) {
      held -= oldest.next().dependents.size();
      oldest.remove();
    }
  }

  private synchronized void over(Place place) {
    beingTaken.remove(place);
  }

  /** The taking down of one list while it is read. */
  final class Taking implements AutoCloseable {
    private final Place place;
    private final Seeker seeker;
    private final Instant asOf;
    private final Optional<DependentNotes> notes;

    private Taking(Place place, Seeker seeker) {
      this.place = place;
      this.seeker = seeker;
      this.asOf = clock.instant();
      this.notes =
          max > 0 && beingTaken.add(place)
              ? Optional.of(new DependentNotes(seeker, place.readers, max))
              : Optional.empty();
    }

    /** Who is to see the list. */
    Seeker seeker() {
      return notes.isPresent() ? notes.get() : seeker;
    }

    /** To be called if the list was read to its end. */
    void keep() {
      notes
          .flatMap(DependentNotes::taken)
          .ifPresent(dependents -> remember(place, dependents, asOf));
    }

    @Override
    public void close() {
      if (notes.isPresent()) {
        over(place);
      }
    }
  }
}
