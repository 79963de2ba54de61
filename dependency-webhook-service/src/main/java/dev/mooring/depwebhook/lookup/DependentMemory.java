package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.index.decide.Origin;
import dev.mooring.depwebhook.lookup.decide.KnownDependents;
import dev.mooring.depwebhook.reading.JoinedScans.Seeker;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
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
 * of all and need only read those that have another one by now. A version has the same content for
 * as long as its type comes from where it came, so what a list has shown is of use only while that
 * is certain. Holds so many dependents and no more; those not asked for the longest time go first.
 * Thread-safe.
 */
public final class DependentMemory {
  /** Also for what changes without a trace, such as the release of an API server. */
  static final Duration TRUSTED_MAX = Duration.ofMinutes(1);

  /** A shorter list costs hardly more than the versions of what is in it. */
  static final int LEAST = 1_000;

  private static final Duration A_LITTLE = Duration.ofSeconds(1);

  private final int max;
  private final InstantSource clock;
  private final KnownOrigins origins;
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
      LogicalCluster cluster, ResourceType type, String namespace, List<ReferenceReader> readers) {
    KnownOrigins.Place origin() {
      return new KnownOrigins.Place(cluster, type);
    }
  }

  /**
   * What is remembered.
   *
   * @param origin of what was listed
   */
  record Recalled(KnownDependents dependents, Origin origin) {}

  /**
   * @param trusted how long so many will usually not have changed that it helps nobody
   */
  private record Memory(Recalled recalled, Instant asOf, Duration trusted) {
    int size() {
      return recalled.dependents.size();
    }
  }

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
    this.origins = new KnownOrigins(clock);
  }

  /** Empty if nothing is known that is likely to help. To be used only while it {@link #holds}. */
  synchronized Optional<Recalled> recall(Place place) {
    return Optional.ofNullable(memories.get(place))
        .filter(memory -> age(memory).compareTo(memory.trusted) <= 0)
        .filter(memory -> origins.mayStillBe(place.origin(), memory.recalled.origin))
        .map(Memory::recalled);
  }

  /**
   * Reads whether the type comes from where it came when it was listed.
   *
   * @throws KubeFailure if nobody knows
   */
  boolean holds(Place place, Recalled recalled, KubeReader workspace) {
    return origins.isStill(place.origin(), recalled.origin, workspace);
  }

  /** What was recalled has helped: it may be somewhat older next time. */
  synchronized void helped(Place place) {
    memories.computeIfPresent(
        place,
        (_, memory) ->
            new Memory(
                memory.recalled,
                memory.asOf,
                longer(memory.trusted, age(memory).multipliedBy(2).plus(A_LITTLE))));
  }

  /** Too many had changed since: what is as old as that is not recalled any more. */
  synchronized void misled(Place place) {
    memories.computeIfPresent(
        place, (_, memory) -> new Memory(memory.recalled, memory.asOf, age(memory).dividedBy(2)));
  }

  /** To be closed. One list of a place is taken down at a time. */
  synchronized Taking take(Place place, Seeker seeker) {
    return new Taking(place, seeker);
  }

  /** Where types come from. */
  KnownOrigins origins() {
    return origins;
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

  private synchronized void remember(Place place, Recalled recalled, Instant asOf) {
    Memory before = memories.remove(place);
    if (before != null) {
      held -= before.size();
    }
    var now = new Memory(recalled, asOf, before == null ? TRUSTED_MAX : before.trusted);
    memories.put(place, now);
    held += now.size();
    for (Iterator<Memory> oldest = memories.values().iterator(); held > max; ) {
      held -= oldest.next().size();
      oldest.remove();
    }
  }

  private synchronized void forget(Place place) {
    Memory before = memories.remove(place);
    if (before != null) {
      held -= before.size();
    }
  }

  private synchronized void over(Place place) {
    beingTaken.remove(place);
  }

  /**
   * The taking down of one list while it is read. What could not be relied on is not even taken
   * down: of ten thousand dependents it is two megabytes that outlive the list.
   */
  final class Taking implements AutoCloseable {
    private final Place place;
    private final Instant asOf;
    private final Optional<Origin> origin;
    private final Optional<DependentNotes> notes;
    private final Counted counted;

    private Taking(Place place, Seeker seeker) {
      this.place = place;
      this.asOf = clock.instant();
      this.origin = max > 0 ? origins.settled(place.origin(), asOf) : Optional.empty();
      this.notes =
          origin.isPresent() && beingTaken.add(place)
              ? Optional.of(new DependentNotes(seeker, place.readers, max))
              : Optional.empty();
      this.counted = new Counted(notes.isPresent() ? notes.get() : seeker);
    }

    /** Who is to see the list. */
    Seeker seeker() {
      return counted;
    }

    /** To be called if the list was read to its end. */
    void keep(KubeReader workspace) {
      if (notes.isPresent()) {
        notes
            .flatMap(DependentNotes::taken)
            .filter(dependents -> dependents.size() >= LEAST)
            .flatMap(dependents -> origin.map(of -> new Recalled(dependents, of)))
            .filter(recalled -> origins.mayStillBe(place.origin(), recalled.origin))
            .ifPresentOrElse(recalled -> remember(place, recalled, asOf), () -> forget(place));
      }
      if (max > 0 && counted.seen >= LEAST) {
        origins.learn(place.origin(), workspace);
      }
    }

    @Override
    public void close() {
      if (notes.isPresent()) {
        over(place);
      }
    }
  }

  /** Counts what a seeker is shown. */
  private static final class Counted implements Seeker {
    private final Seeker seeker;
    private int seen;

    Counted(Seeker seeker) {
      this.seeker = seeker;
    }

    @Override
    public void see(KubeObject object) {
      seen++;
      seeker.see(object);
    }

    @Override
    public boolean hasEnough() {
      return seeker.hasEnough();
    }
  }
}
