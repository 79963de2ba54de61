package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What was done for one published type since its sync began, and which objects are not known to be
 * in step. Bounded by the objects that wait and the reasons that there are. Thread-safe.
 */
public final class SyncStatistics {
  /** Upper bounds of the latency's buckets but the last, which has none. */
  public static final List<Duration> LATENCY_BOUNDS =
      Stream.of(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000)
          .map(Duration::ofMillis)
          .toList();

  private final InstantSource clock;
  private final ConcurrentHashMap<ObjectKey, Waiting> unsynced = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, LongAdder> refusals = new ConcurrentHashMap<>();
  private final Map<Direction, Counts> counts = new EnumMap<>(Direction.class);

  /** Whose server is written to. */
  public enum Direction {
    /** Towards the service cluster. */
    DOWN,
    /** Towards kcp. */
    UP
  }

  SyncStatistics(InstantSource clock) {
    this.clock = clock;
    for (Direction direction : Direction.values()) {
      counts.put(direction, new Counts());
    }
  }

  /**
   * What was done in one direction.
   *
   * @param conflicts writes that something else was faster than
   * @param errors failed passes by reason
   * @param latencies how many writes of content and status came how long after the change that
   *     brought them was noticed, for each of {@link #LATENCY_BOUNDS} and one more; not cumulative
   * @param latencySum of all these
   */
  public record Done(
      long writes,
      long conflicts,
      Map<String, Long> errors,
      List<Long> latencies,
      Duration latencySum) {
    public Done {
      errors = Map.copyOf(errors);
      latencies = List.copyOf(latencies);
    }
  }

  public Done done(Direction direction) {
    return counts.get(direction).done();
  }

  /** How many of these objects are not known to be in step. */
  long unsynced(Predicate<ObjectKey> which) {
    return unsynced.keySet().stream().filter(which).count();
  }

  /** Since when the object has waited that has waited longest; zero if all are in step. */
  public Duration oldestUnsynced() {
    return unsynced.values().stream()
        .map(Waiting::since)
        .min(Instant::compareTo)
        .map(since -> Duration.between(since, clock.instant()))
        .orElse(Duration.ZERO);
  }

  /** Something about the object has changed, so that it may have to be synced. */
  void noticed(ObjectKey key) {
    var now = Optional.of(clock.instant());
    unsynced.merge(
        key,
        new Waiting(now.get(), Optional.empty(), Looked.NOT_YET),
        (before, _) -> before.looked() == Looked.NOT_YET ? before : before.noticedAgain(now));
  }

  /** A pass over the object begins, which sees all that was noticed so far. */
  void begun(ObjectKey key) {
    unsynced.computeIfPresent(
        key, (_, before) -> new Waiting(before.since(), Optional.empty(), Looked.BEGUN));
  }

  /** The pass that began could not look at the object: a cache is not filled. */
  void postponed(ObjectKey key) {
    unsynced.computeIfPresent(
        key, (_, before) -> new Waiting(before.since(), Optional.empty(), Looked.NOT_YET));
  }

  /** Whether a pass has looked at every object that was noticed. */
  boolean allStarted() {
    return unsynced.values().stream().allMatch(waiting -> waiting.looked() == Looked.BEGUN);
  }

  /** A write that carries over nothing of the object, such as that of a finalizer. */
  void wrote(Direction direction) {
    counts.get(direction).writes.increment();
  }

  /** A write that carries over content or status. */
  void carried(ObjectKey key, Direction direction) {
    Instant now = clock.instant();
    wrote(direction);
    Waiting before = unsynced.get(key);
    if (before != null) {
      counts.get(direction).took(Duration.between(before.since(), now));
      unsynced.computeIfPresent(
          key, (_, present) -> new Waiting(now, present.again(), present.looked()));
    }
  }

  void conflicted(Direction direction) {
    counts.get(direction).conflicts.increment();
  }

  /**
   * @param reason from a small set
   */
  void failed(Direction direction, String reason) {
    counts.get(direction).errors.computeIfAbsent(reason, _ -> new LongAdder()).increment();
  }

  /**
   * An object is not synced because a rule or a server refuses it, which its consumer or the
   * provider has to mend.
   *
   * @param reason from a small set
   */
  void refused(String reason) {
    refusals.computeIfAbsent(reason, _ -> new LongAdder()).increment();
  }

  /** How often objects were refused, by reason. */
  public Map<String, Long> refusals() {
    var byReason = new TreeMap<String, Long>();
    refusals.forEach((reason, count) -> byReason.put(reason, count.sum()));
    return byReason;
  }

  /** The object is in step, or need not be, but for what was noticed since the pass began. */
  void settled(ObjectKey key) {
    unsynced.computeIfPresent(
        key,
        (_, before) ->
            before
                .again()
                .map(since -> new Waiting(since, Optional.empty(), Looked.NOT_YET))
                .orElse(null));
  }

  /** Whether a pass has begun since the first notice. */
  private enum Looked {
    NOT_YET,
    BEGUN
  }

  /**
   * @param again when something was first noticed after the latest pass had begun
   */
  private record Waiting(Instant since, Optional<Instant> again, Looked looked) {
    Waiting noticedAgain(Optional<Instant> now) {
      return new Waiting(since, again.or(() -> now), looked);
    }
  }

  private static final class Counts {
    private final LongAdder writes = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final ConcurrentHashMap<String, LongAdder> errors = new ConcurrentHashMap<>();
    private final LongAdder latencyNanos = new LongAdder();
    private final List<LongAdder> latencies =
        Stream.generate(LongAdder::new).limit(LATENCY_BOUNDS.size() + 1).toList();

    void took(Duration latency) {
      int bucket = 0;
      while (bucket < LATENCY_BOUNDS.size() && latency.compareTo(LATENCY_BOUNDS.get(bucket)) > 0) {
        bucket++;
      }
      latencies.get(bucket).increment();
      latencyNanos.add(latency.toNanos());
    }

    Done done() {
      var byReason = new TreeMap<String, Long>();
      errors.forEach((reason, count) -> byReason.put(reason, count.sum()));
      return new Done(
          writes.sum(),
          conflicts.sum(),
          byReason,
          latencies.stream().map(LongAdder::sum).toList(),
          Duration.ofNanos(latencyNanos.sum()));
    }
  }
}
