package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The objects of one published type that are not known to be synced, and since when. Bounded by the
 * objects that wait. Thread-safe.
 */
final class UnsyncedObjects {
  private final InstantSource clock;
  private final ConcurrentHashMap<ObjectKey, Waiting> unsynced = new ConcurrentHashMap<>();

  UnsyncedObjects(InstantSource clock) {
    this.clock = clock;
  }

  /** Whether a pass has begun since the first notice. */
  private enum Pass {
    NOT_YET,
    BEGUN
  }

  /**
   * @param again when a change was first noticed after the latest pass had begun
   */
  private record Waiting(Instant since, Optional<Instant> again, Pass pass) {
    Waiting noticedAgain(Optional<Instant> now) {
      return new Waiting(since, again.or(() -> now), pass);
    }
  }

  /** How many of these objects are not known to be synced. */
  long count(Predicate<ObjectKey> which) {
    return unsynced.keySet().stream().filter(which).count();
  }

  /** Age of the oldest unsynced object; zero if all are synced. */
  Duration oldest() {
    return unsynced.values().stream()
        .map(Waiting::since)
        .min(Instant::compareTo)
        .map(since -> Duration.between(since, clock.instant()))
        .orElse(Duration.ZERO);
  }

  /** For how long the object has not been synced; empty if it is. */
  Optional<Duration> age(ObjectKey key) {
    return Optional.ofNullable(unsynced.get(key))
        .map(waiting -> Duration.between(waiting.since(), clock.instant()));
  }

  /** The object, or what it depends on, has changed. */
  void noticed(ObjectKey key) {
    var now = Optional.of(clock.instant());
    unsynced.merge(
        key,
        new Waiting(now.get(), Optional.empty(), Pass.NOT_YET),
        (before, _) -> before.pass() == Pass.NOT_YET ? before : before.noticedAgain(now));
  }

  /** A pass over the object begins, which sees every change that was noticed so far. */
  void begun(ObjectKey key) {
    unsynced.computeIfPresent(
        key, (_, before) -> new Waiting(before.since(), Optional.empty(), Pass.BEGUN));
  }

  /** The pass that began could not decide: a cache is not filled. */
  void postponed(ObjectKey key) {
    unsynced.computeIfPresent(
        key, (_, before) -> new Waiting(before.since(), Optional.empty(), Pass.NOT_YET));
  }

  /** Whether a pass has begun over every object that was noticed. */
  boolean allStarted() {
    return unsynced.values().stream().allMatch(waiting -> waiting.pass() == Pass.BEGUN);
  }

  /**
   * How long after its change was noticed the object was written to the other side; empty if none
   * was.
   */
  Optional<Duration> carried(ObjectKey key) {
    Instant now = clock.instant();
    Waiting before = unsynced.get(key);
    if (before == null) {
      return Optional.empty();
    }
    unsynced.computeIfPresent(
        key, (_, present) -> new Waiting(now, present.again(), present.pass()));
    return Optional.of(Duration.between(before.since(), now));
  }

  /** The object is synced, or need not be, except for changes since the pass began. */
  void settled(ObjectKey key) {
    unsynced.computeIfPresent(
        key,
        (_, before) ->
            before
                .again()
                .map(since -> new Waiting(since, Optional.empty(), Pass.NOT_YET))
                .orElse(null));
  }
}
