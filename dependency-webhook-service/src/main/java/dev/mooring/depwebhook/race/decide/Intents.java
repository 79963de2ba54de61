package dev.mooring.depwebhook.race.decide;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All deletions of targets of one name that were intended lately, oldest first; bounded. */
public record Intents(List<Intent> all) {
  /** Deletions of one name under way at once; more are somebody's endless loop. */
  public static final int COUNT_MAX = 200;

  public static final Intents NONE = new Intents(List.of());

  public Intents {
    all = List.copyOf(all);
  }

  /** With one more and without those that can no longer be carried out; empty if it is full. */
  public Optional<Intents> with(Intent intent, Instant now, RaceTimings terms) {
    List<Intent> more = Stream.concat(open(now, terms), Stream.of(intent)).toList();
    return more.size() > COUNT_MAX ? Optional.empty() : Optional.of(new Intents(more));
  }

  public Intents without(String id) {
    return new Intents(all.stream().filter(one -> !one.id().equals(id)).toList());
  }

  /** The latest deletion of this very object that may still be carried out. */
  Optional<Intent> openAgainst(String uid, Instant now, RaceTimings terms) {
    return open(now, terms)
        .filter(one -> one.uid().equals(uid))
        .reduce((one, other) -> one.at().isAfter(other.at()) ? one : other);
  }

  /** Whether nothing would be lost with all of them. */
  public boolean forgotten(Instant now, RaceTimings terms) {
    return open(now, terms).findAny().isEmpty();
  }

  private Stream<Intent> open(Instant now, RaceTimings terms) {
    return all.stream().filter(one -> terms.openAt(one.at(), now));
  }
}
