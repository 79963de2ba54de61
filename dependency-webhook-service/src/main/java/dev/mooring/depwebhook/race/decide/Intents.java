package dev.mooring.depwebhook.race.decide;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The intended deletions of all targets of one name, oldest first; bounded. */
public record Intents(List<Intent> all) {
  /** Deletions of one name at once; more are an endless loop of a client. */
  public static final int COUNT_MAX = 200;

  public static final Intents NONE = new Intents(List.of());

  public Intents {
    all = List.copyOf(all);
  }

  /** Adds one and drops those that can no longer be carried out; empty if there is no room. */
  public Optional<Intents> with(Intent intent, Instant now, RaceTimings timings) {
    List<Intent> more = Stream.concat(open(now, timings), Stream.of(intent)).toList();
    return more.size() > COUNT_MAX ? Optional.empty() : Optional.of(new Intents(more));
  }

  public Intents without(String id) {
    return new Intents(all.stream().filter(one -> !one.id().equals(id)).toList());
  }

  /** The latest deletion of this very object that may still be carried out. */
  Optional<Intent> openAgainst(String uid, Instant now, RaceTimings timings) {
    return open(now, timings)
        .filter(one -> one.uid().equals(uid))
        .reduce((one, other) -> one.at().isAfter(other.at()) ? one : other);
  }

  public boolean isExpired(Instant now, RaceTimings timings) {
    return open(now, timings).findAny().isEmpty();
  }

  private Stream<Intent> open(Instant now, RaceTimings timings) {
    return all.stream().filter(one -> timings.openAt(one.at(), now));
  }
}
