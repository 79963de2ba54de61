package dev.mooring.sandbox.fault;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Injects faults into requests, each with its probability; none at first. The random sequence comes
 * from one seed: the same requests one after the other meet the same faults. Thread-safe; changes
 * take effect with the next request.
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
  private static final Duration SLOWEST_DEFAULT = Duration.ofMillis(100);

  private final Map<Fault, Double> probabilities = new EnumMap<>(Fault.class);
  private final Map<Fault, Long> injected = new EnumMap<>(Fault.class);
  private SplittableRandom random = new SplittableRandom(0);
  private Predicate<String> affected = user -> true;
  private Duration slowest = SLOWEST_DEFAULT;
  private volatile boolean empty = true;

  /** Restarts the random sequence. */
  public synchronized FaultInjector reseed(long seed) {
    random = new SplittableRandom(seed);
    return this;
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
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException(
          "the probability of " + fault + " has to be from 0 to 1: " + probability);
    }
    probabilities.put(fault, probability);
    empty = probabilities.values().stream().allMatch(value -> value == 0);
    return this;
  }

  /** How late {@link Fault#SLOW} makes things at most. */
  public synchronized FaultInjector slowest(Duration value) {
    slowest = value;
    return this;
  }

  /** Stops all faults; seed, users and counts stay. */
  public synchronized void reset() {
    probabilities.clear();
    empty = true;
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
    if (probability == 0 || !affected.test(user) || random.nextDouble() >= probability) {
      return false;
    }
    injected.merge(fault, 1L, Long::sum);
    return true;
  }

  /** Waits as long as {@link Fault#SLOW} takes this time; for the server. */
  public void delay() throws InterruptedException {
    long nanos;
    synchronized (this) {
      nanos = random.nextLong(slowest.toNanos() + 1);
    }
    // The latch is never counted down: a wait that only an interrupt ends.
    boolean never = new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
    assert !never;
  }
}
