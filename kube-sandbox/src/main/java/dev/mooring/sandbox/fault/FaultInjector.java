package dev.mooring.sandbox.fault;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Injects faults into requests, each with its probability; none at first. Each fault has a random
 * sequence of its own, all from one seed: the same requests one after the other meet the same
 * faults, also if other faults are injected. Thread-safe; changes take effect with the next
 * request.
 *
 * <pre>{@code
 * sandbox.faults().reseed(42).affect("agent"::equals)
 *     .inject(Fault.CONFLICT, 0.2).inject(Fault.DROPPED_WATCH, 0.1);
 * …
 * sandbox.faults().reset();
 * }</pre>
 */
public final class FaultInjector {
  /** Long enough to be overtaken by other requests, short enough for tests. */
  static final Duration SLOWEST_DEFAULT = Duration.ofMillis(100);

  private final Map<Fault, Double> probabilities = new EnumMap<>(Fault.class);
  private final Map<Fault, Long> injected = new EnumMap<>(Fault.class);
  private final Map<Fault, SplittableRandom> sequences = new EnumMap<>(Fault.class);
  private long seed;
  private Predicate<String> affected = user -> true;
  private Duration slowest = SLOWEST_DEFAULT;
  private volatile boolean empty = true;
  private volatile Consumer<Set<String>> shards = _ -> {};

  /** Restarts the random sequences. */
  public synchronized FaultInjector reseed(long value) {
    seed = value;
    sequences.clear();
    return this;
  }

  /** Each fault's own, so that another one more leaves it as it is. */
  private SplittableRandom sequence(Fault fault) {
    return sequences.computeIfAbsent(fault, _ -> new SplittableRandom(seed + fault.ordinal()));
  }

  /**
   * Only requests of these users fail; without it, those of all users.
   *
   * @param users asked for the user's name, such as {@code system:serviceaccount:default:agent}
   */
  public synchronized FaultInjector affect(Predicate<String> users) {
    affected = users;
    return this;
  }

  /**
   * @param probability 0 never, 1 always; of each request (for watches, of each burst of events)
   *     that the fault could befall
   */
  public synchronized FaultInjector inject(Fault fault, double probability) {
    requireProbability(fault, probability);
    probabilities.put(fault, probability);
    empty = probabilities.values().stream().allMatch(value -> value == 0);
    return this;
  }

  static void requireProbability(Fault fault, double probability) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException(
          "the probability of " + fault + " has to be from 0 to 1: " + probability);
    }
  }

  /** How late {@link Fault#SLOW} and {@link Fault#SLOW_WEBHOOK} make things at most. */
  public synchronized FaultInjector slowest(Duration value) {
    slowest = value;
    return this;
  }

  /** Stops all faults; seed, users and counts stay. */
  public synchronized void reset() {
    probabilities.clear();
    empty = true;
  }

  /**
   * Exactly the given faults; counts stay. Throws {@link IllegalArgumentException} for shards that
   * cannot go down, and changes nothing then.
   */
  public void replace(FaultSettings settings) {
    shards.accept(settings.down());
    synchronized (this) {
      reset();
      reseed(settings.seed());
      affect(user -> settings.users().isEmpty() || settings.users().contains(user));
      slowest(settings.slowest());
      settings.faults().forEach(this::inject);
    }
  }

  /** What kills the named shards, and starts all others; for the server. */
  public void onShards(Consumer<Set<String>> given) {
    shards = given;
  }

  /** The faults that are injected now. */
  public synchronized Map<Fault, Double> probabilities() {
    return Map.copyOf(probabilities);
  }

  /** How often a fault has befallen a request, so that a test can tell that it met it. */
  public synchronized long injected(Fault fault) {
    return injected.getOrDefault(fault, 0L);
  }

  /** Whether the fault befalls this request; for the server. */
  public boolean shouldFail(Fault fault, String user) {
    return !empty && draw(fault, user);
  }

  private synchronized boolean draw(Fault fault, String user) {
    double probability = probabilities.getOrDefault(fault, 0.0);
    if (probability == 0 || !affected.test(user) || sequence(fault).nextDouble() >= probability) {
      return false;
    }
    injected.merge(fault, 1L, Long::sum);
    return true;
  }

  /**
   * How late the fault makes a request of the user this time, up to {@link #slowest}; empty if it
   * does not befall it. For the server.
   */
  public Optional<Duration> lateness(Fault fault, String user) {
    return shouldFail(fault, user) ? Optional.of(latenessOf(fault)) : Optional.empty();
  }

  private synchronized Duration latenessOf(Fault fault) {
    return Duration.ofNanos(sequence(fault).nextLong(slowest.toNanos() + 1));
  }

  /** Waits; for the server. */
  public static void pause(Duration duration) throws InterruptedException {
    // The latch is never counted down: a wait that only an interrupt ends.
    boolean never = new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS);
    assert !never;
  }
}
