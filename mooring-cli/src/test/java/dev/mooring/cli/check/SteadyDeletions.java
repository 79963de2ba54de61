package dev.mooring.cli.check;

import dev.mooring.cli.demo.ClusterClient.Ref;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.SystemTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Deletions at a steady rate while something else goes on: in turn of a VPC that a machine refers
 * to, which must be refused, and of one that nothing refers to, which must go. Where the server
 * does not keep up, fewer are made; how many there were is printed at the end. Where they are to go
 * on for some time, too few of them are a failure. Thread-safe.
 */
final class SteadyDeletions implements AutoCloseable {
  /** Fifty a second. */
  private static final Duration PERIOD = Duration.ofMillis(20);

  private static final int IN_FLIGHT_MAX = 16;

  /**
   * A fifth of what is tried. How many a machine manages is its own affair, but below this a load
   * was asked for and there was none.
   */
  static final int PER_SECOND_MIN = 10;

  private final ProtectionEnvironment environment;
  private final Ref kept;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Semaphore places = new Semaphore(IN_FLIGHT_MAX);
  private final InstantSource clock = SystemTime.clock();
  private final Instant began = clock.instant();
  private final AtomicLong made = new AtomicLong();
  private final AtomicLong leftOut = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong allowed = new AtomicLong();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

  private SteadyDeletions(ProtectionEnvironment environment, Ref kept) {
    this.environment = environment;
    this.kept = kept;
  }

  /**
   * @param kept a VPC that is referred to already
   */
  static SteadyDeletions start(ProtectionEnvironment environment, Ref kept) {
    var deletions = new SteadyDeletions(environment, kept);
    deletions.timer.scheduleAtFixedRate(
        deletions::begin, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    return deletions;
  }

  /**
   * Waits until so many more deletions have been refused, and as many allowed, and for a third of
   * the time that the environment's deletions go on for.
   */
  void await(int more) {
    long refusedBefore = refused.get();
    long allowedBefore = allowed.get();
    Instant earliest = clock.instant().plus(environment.load().dividedBy(3));
    environment.await(
        more + " more deletions were refused and allowed",
        () ->
            !wrong.isEmpty()
                || (refused.get() >= refusedBefore + more
                    && allowed.get() >= allowedBefore + more
                    && !clock.instant().isBefore(earliest)));
    requireNoneWrong();
  }

  long count() {
    return refused.get() + allowed.get();
  }

  void requireNoneWrong() {
    HarnessFailure.unless(
        wrong.isEmpty(),
        wrong.size()
            + " of "
            + (count() + wrong.size())
            + " deletions went wrong, first: "
            + wrong.peek());
  }

  /** Those that are under way end first. */
  @Override
  public void close() {
    timer.shutdown();
    try {
      HarnessFailure.unless(
          places.tryAcquire(
              IN_FLIGHT_MAX, ProtectionEnvironment.PATIENCE.toSeconds(), TimeUnit.SECONDS),
          "a deletion was never answered");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Duration took = Duration.between(began, clock.instant());
    System.out.println("        " + describe(took));
    if (wrong.isEmpty()) {
      requireLoad(count(), took, environment.load());
    }
  }

  /**
   * @param asked for how long deletions go on at least; zero without a load
   */
  static void requireLoad(long answered, Duration took, Duration asked) {
    double rate = perSecond(answered, took);
    HarnessFailure.unless(
        asked.isZero() || rate >= PER_SECOND_MIN,
        "only %.1f deletions a second were answered; a load is %d at least"
            .formatted(rate, PER_SECOND_MIN));
  }

  private static double perSecond(long number, Duration time) {
    return number * 1_000.0 / Math.max(1, time.toMillis());
  }

  /** How many there were, and whether the server kept up. */
  private String describe(Duration took) {
    return ("%d deletions in %.1f s, %.0f a second: %d refused, %d allowed, %d wrong; %d were left"
            + " out, for %d were under way")
        .formatted(
            made.get(),
            took.toMillis() / 1_000.0,
            perSecond(made.get(), took),
            refused.get(),
            allowed.get(),
            wrong.size(),
            leftOut.get(),
            IN_FLIGHT_MAX);
  }

  private void begin() {
    if (places.tryAcquire()) {
      Thread.ofVirtual().name("deletion").start(this::one);
    } else {
      leftOut.incrementAndGet();
    }
  }

  private void one() {
    try {
      long number = made.getAndIncrement();
      if (number % 2 == 0) {
        refuse();
      } else {
        allow("free-" + kept.name() + "-" + number);
      }
    } catch (KubeFailure e) {
      wrong.add(e.getMessage());
    } finally {
      places.release();
    }
  }

  private void refuse() {
    Optional<String> refusal = environment.refusal(kept);
    if (refusal.filter(message -> message.contains("still referenced by")).isPresent()) {
      refused.incrementAndGet();
    } else {
      wrong.add(refusal.orElse("vpcs/" + kept.name() + " was deleted"));
    }
  }

  private void allow(String free) {
    environment.consumer().client().create(Types.VPCS, Samples.vpc("default", free));
    environment
        .refusal(environment.consumer().ref(Types.VPCS, "default", free))
        .ifPresentOrElse(wrong::add, allowed::incrementAndGet);
  }
}
