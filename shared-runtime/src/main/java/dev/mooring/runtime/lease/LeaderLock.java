package dev.mooring.runtime.lease;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that of several equal processes one acts: the holder of a Lease. It looks at the Lease
 * from time to time, renews it while it leads, and takes it when it has expired. A holder that
 * cannot renew stops by itself before the others may take over. Thread-safe.
 */
public final class LeaderLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderLock.class);

  /** A release is worth waiting for: without it the next one waits out the Lease. */
  private static final Duration RELEASE_MAX = Duration.ofSeconds(5);

  private final LeaseTerms terms;
  private final LeaseStore store;
  private final LeaderListener listener;
  private final InstantSource clock;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread;

  private volatile Optional<Instant> renewed = Optional.empty();
  private volatile String holder = "";
  private Optional<KubeObject> seen = Optional.empty();
  private Instant unchangedSince = Instant.EPOCH;
  private boolean leading;

  private LeaderLock(
      KubeClient client, LeaseTerms terms, LeaderListener listener, InstantSource clock) {
    this.terms = terms;
    this.store = new LeaseStore(client, terms);
    this.listener = listener;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name("lease " + terms.name()).unstarted(this::run);
  }

  public static LeaderLock start(
      KubeClient client, LeaseTerms terms, LeaderListener listener, InstantSource clock) {
    var lock = new LeaderLock(client, terms, listener, clock);
    lock.thread.start();
    return lock;
  }

  /** Whether this process may act at this very moment. */
  public boolean leads() {
    return renewed
        .filter(at -> clock.instant().isBefore(at.plus(terms.renewDeadline())))
        .isPresent();
  }

  /** Who leads, as last seen; empty if nobody does. */
  public String holder() {
    return holder;
  }

  /** Stops acting, then lets go of the Lease, so that the next one need not wait. Idempotent. */
  @Override
  public void close() {
    stop.countDown();
    try {
      if (!thread.join(RELEASE_MAX)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      thread.interrupt();
    }
  }

  private void run() {
    try {
      do {
        look();
        tell();
      } while (!stop.await(terms.retry().toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      letGo();
    }
  }

  private void look() {
    Instant now = clock.instant();
    try {
      Optional<KubeObject> lease = store.find();
      if (!lease.map(KubeObject::resourceVersion).equals(seen.map(KubeObject::resourceVersion))) {
        unchangedSince = now;
      }
      seen = lease;
      switch (LeasePlanner.plan(terms, lease, unchangedSince, now)) {
        case LeasePlan.Found(var founded) -> wrote(store.create(founded), now);
        case LeasePlan.Claim(var claimed) -> wrote(store.update(claimed), now);
        case LeasePlan.Follow(_) -> renewed = Optional.empty();
      }
      holder = seen.map(present -> present.text("spec", "holderIdentity")).orElse("");
    } catch (KubeFailure e) {
      // Whoever leads goes on until its deadline; whoever follows goes on following.
      LOG.warn("Cannot look at Lease {}: {}", terms.name(), e.getMessage());
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

  private void tell() {
    boolean leads = leads();
    if (leads == leading) {
      return;
    }
    leading = leads;
    LOG.info("{} {} by Lease {}", terms.identity(), leads ? "leads" : "follows", terms.name());
    try {
      if (leads) {
        listener.leads();
      } else {
        listener.follows();
      }
    } catch (RuntimeException e) {
      LOG.error("The listener of Lease {} failed", terms.name(), e);
    }
  }

  private void letGo() {
    boolean held = leads();
    renewed = Optional.empty();
    tell();
    if (held && seen.isPresent()) {
      try {
        store.update(LeasePlanner.released(seen.get(), clock.instant()));
      } catch (KubeFailure e) {
        LOG.warn("Lease {} expires by itself: {}", terms.name(), e.getMessage());
      }
    }
  }
}
