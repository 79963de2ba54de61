package dev.mooring.runtime.lease;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Sees to it that of several equal processes one acts: the holder of a Lease. It looks at the Lease
 * from time to time, renews it while it leads, and takes it when it has expired. A holder that
 * cannot renew stops by itself before the others may take over, also while a request of its own
 * hangs: one thread asks for the Lease, and another one keeps the time and tells the listener.
 * Thread-safe.
 */
public final class LeaderLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderLock.class);

  /** A release is worth waiting for: without it the next one waits out the Lease. */
  private static final Duration RELEASE_MAX = Duration.ofSeconds(5);

  /** Of it, what a request that is under way then may take until it is broken off. */
  private static final Duration LAST_LOOK_MAX = Duration.ofSeconds(2);

  private final LeaseTerms terms;
  private final LeaseStore store;
  private final LeaderListener listener;
  private final InstantSource clock;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Semaphore news = new Semaphore(0);
  private final Thread looks;
  private final Thread turns;

  private volatile Optional<Instant> renewed = Optional.empty();
  private volatile String holder = "";
  private volatile Optional<KubeFailure> lastFailure = Optional.empty();

  /** When a look began that showed who leads; empty before the first. */
  private volatile Optional<Instant> looked = Optional.empty();

  // Of the thread that looks; once it has ended, of the one that keeps the turns.
  private Optional<KubeObject> seen = Optional.empty();
  private Instant unchangedSince = Instant.EPOCH;

  // Of the thread that keeps the turns.
  private boolean leading;

  private LeaderLock(
      KubeClient client, LeaseTerms terms, LeaderListener listener, InstantSource clock) {
    this.terms = terms;
    this.store = new LeaseStore(client, terms);
    this.listener = listener;
    this.clock = clock;
    this.looks = Thread.ofVirtual().name("lease " + terms.name()).unstarted(this::keepLooking);
    this.turns = Thread.ofVirtual().name("turns " + terms.name()).unstarted(this::keepTurns);
  }

  public static LeaderLock start(
      KubeClient client, LeaseTerms terms, LeaderListener listener, InstantSource clock) {
    var lock = new LeaderLock(client, terms, listener, clock);
    lock.looks.start();
    lock.turns.start();
    return lock;
  }

  /** Whether this process may act at this very moment. */
  public boolean leads() {
    return remaining(terms.renewDeadline()).isPositive();
  }

  /** The leader's identity, as last seen; empty if there is no leader. */
  public String holder() {
    return holder;
  }

  /** Why the leader is unknown; empty if the last read showed it. */
  public Optional<KubeFailure> lastFailure() {
    return lastFailure;
  }

  /**
   * Whether a look showed who leads, no longer ago than a Lease lasts. If not, perhaps no process
   * can lead, as a right or the Namespace is missing.
   */
  public boolean isInformed() {
    return looked.filter(at -> clock.instant().isBefore(at.plus(terms.duration()))).isPresent();
  }

  /** Stops acting, then releases the Lease, so that the next leader need not wait. Idempotent. */
  @Override
  public void close() {
    stop.countDown();
    news.release();
    try {
      if (!turns.join(RELEASE_MAX)) {
        turns.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      turns.interrupt();
    }
  }

  private void keepLooking() {
    try {
      do {
        look();
        news.release();
      } while (!stop.await(terms.retry().toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void keepTurns() {
    try {
      while (stop.getCount() > 0) {
        tell(leads(), remaining(terms.duration()));
        awaitNews();
      }
      if (!looks.join(LAST_LOOK_MAX)) {
        looks.interrupt();
        looks.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      looks.interrupt();
    } finally {
      release();
    }
  }

  /** Waits for an answer no longer than the Lease allows to lead. */
  private void awaitNews() throws InterruptedException {
    Duration turn = remaining(terms.renewDeadline());
    Duration most = turn.isPositive() ? turn.plusMillis(1) : terms.duration();
    if (news.tryAcquire(most.toNanos(), TimeUnit.NANOSECONDS)) {
      news.drainPermits();
    }
  }

  /** Since the Lease was renewed last; zero or less if that is over, or if it is not held. */
  private Duration remaining(Duration ofRenewal) {
    return renewed
        .map(at -> Duration.between(clock.instant(), at.plus(ofRenewal)))
        .orElse(Duration.ZERO);
  }

  private void look() {
    // Before the request is sent: the others count from when it arrived.
    Instant now = clock.instant();
    try {
      Optional<KubeObject> lease = store.find();
      if (!lease.map(KubeObject::resourceVersion).equals(seen.map(KubeObject::resourceVersion))) {
        unchangedSince = now;
      }
      seen = lease;
      switch (LeasePlanner.plan(terms, lease, unchangedSince, now)) {
        case LeasePlanner.Plan.Found(var founded) -> wrote(store.create(founded), now);
        case LeasePlanner.Plan.Claim(var claimed) -> wrote(store.update(claimed), now);
        case LeasePlanner.Plan.Follow(_) -> renewed = Optional.empty();
      }
      holder = seen.map(present -> present.text("spec", "holderIdentity")).orElse("");
      looked = Optional.of(now);
      lastFailure = Optional.empty();
    } catch (KubeFailure e) {
      // A leader goes on until its deadline; a follower goes on following.
      boolean repeated =
          lastFailure.filter(last -> last.getMessage().equals(e.getMessage())).isPresent();
      lastFailure = Optional.of(e);
      LOG.atLevel(repeated ? Level.DEBUG : Level.WARN)
          .log("Cannot look at Lease {}: {}", terms.name(), e.getMessage());
    }
  }

  /** Being beaten to a write proves nothing yet: the next look shows who holds the Lease. */
  private void wrote(Optional<KubeObject> lease, Instant now) {
    if (lease.isPresent()) {
      seen = lease;
      unchangedSince = now;
      renewed = Optional.of(now);
    }
  }

  /**
   * @param untilOthers may lead; of it the listener gets half, because clocks differ in their
   *     speed, and what it breaks off may be on its way still
   */
  private void tell(boolean leads, Duration untilOthers) {
    if (leads == leading) {
      return;
    }
    leading = leads;
    LOG.info("{} {} by Lease {}", terms.identity(), leads ? "leads" : "follows", terms.name());
    try {
      if (leads) {
        listener.leads();
      } else {
        listener.follows(untilOthers.isPositive() ? untilOthers.dividedBy(2) : Duration.ZERO);
      }
    } catch (RuntimeException e) {
      LOG.error("The listener of Lease {} failed", terms.name(), e);
    }
  }

  private void release() {
    boolean held = leads();
    Duration untilOthers = remaining(terms.duration());
    renewed = Optional.empty();
    tell(false, untilOthers);
    if (held && seen.isPresent()) {
      try {
        store.update(LeasePlanner.released(seen.get(), clock.instant()));
      } catch (KubeFailure e) {
        LOG.warn("Lease {} expires by itself: {}", terms.name(), e.getMessage());
      }
    }
  }
}
