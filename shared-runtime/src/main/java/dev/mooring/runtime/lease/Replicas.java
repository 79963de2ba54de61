package dev.mooring.runtime.lease;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * This process among equal ones that divide logical clusters among themselves; each of them has a
 * Lease of its own, and one thread that looks at all of them. What that means is {@link
 * ReplicaPlanner}'s. Thread-safe.
 */
public final class Replicas implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Replicas.class);

  /** Between looks while this process, or another one, waits for an answer. */
  private static final int EAGER = 4;

  private final LeaseTerms terms;
  private final Map.Entry<String, String> group;
  private final LeaseStore store;
  private final ReplicaListener listener;
  private final InstantSource clock;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread looks;

  private volatile View view = View.NONE;
  private volatile Optional<Instant> renewed = Optional.empty();
  private volatile Optional<KubeFailure> lastFailure = Optional.empty();

  // Of the thread that looks; once it has ended, of the one that closes.
  private Optional<KubeObject> own = Optional.empty();
  private Set<String> acknowledged = Set.of();
  private Map<String, Seen> seen = Map.of();

  /** Another one's Lease, and since when it is as it is. */
  private record Seen(KubeObject lease, Instant unchangedSince) {}

  /**
   * What the last look showed.
   *
   * @param others by identity, what each says of itself
   * @param awaited identities of those that have not acknowledged this process
   */
  private record View(Share share, Map<String, String> others, List<String> awaited) {
    static final View NONE = new View(Share.NOTHING, Map.of(), List.of());
  }

  private Replicas(
      KubeClient client,
      LeaseTerms terms,
      Map.Entry<String, String> group,
      ReplicaListener listener,
      InstantSource clock) {
    this.terms = terms;
    this.group = group;
    this.store = new LeaseStore(client, terms);
    this.listener = listener;
    this.clock = clock;
    this.looks = Thread.ofVirtual().name("replicas " + terms.name()).unstarted(this::keepLooking);
  }

  /**
   * Replicas that look at nothing before {@link #start()}.
   *
   * @param terms of this process's own Lease
   * @param group label of the Leases of all processes that divide the work
   */
  public static Replicas of(
      KubeClient client,
      LeaseTerms terms,
      Map.Entry<String, String> group,
      ReplicaListener listener,
      InstantSource clock) {
    return new Replicas(client, terms, group, listener, clock);
  }

  public void start() {
    looks.start();
  }

  /** Whether this process may write at this very moment: others count on its Lease. */
  public boolean isCurrent() {
    return renewed
        .filter(at -> clock.instant().isBefore(at.plus(terms.renewDeadline())))
        .isPresent();
  }

  /** As last seen; holds while this process {@link #isCurrent}. */
  public Share share() {
    return view.share();
  }

  /** By identity, what each of the others says of itself. */
  public Map<String, String> others() {
    return view.others();
  }

  /** Why this process works on nothing; empty if it works on its share. */
  public Optional<String> waitsFor() {
    if (share().self().isPresent() && isCurrent()) {
      return Optional.empty();
    }
    List<String> awaited = view.awaited();
    return Optional.of(
        lastFailure
            .map(failure -> "Leases cannot be read or written: " + failure.getMessage())
            .orElse(
                awaited.isEmpty()
                    ? "waiting for Lease " + terms.name()
                    : "waiting until " + String.join(", ", awaited) + " hand over"));
  }

  /** Leaves: others take over at once. What is under way has to have ended. Idempotent. */
  @Override
  public void close() {
    stop.countDown();
    try {
      if (!looks.join(terms.requestTimeout())) {
        looks.interrupt();
        looks.join();
      }
    } catch (InterruptedException e) {
      looks.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  private void keepLooking() {
    try {
      do {
        look();
      } while (!stop.await(pause().toMillis(), TimeUnit.MILLISECONDS));
      leave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      forsake();
    }
  }

  private Duration pause() {
    boolean waits = share().self().isEmpty() || acknowledged.size() < view.others().size();
    return waits ? terms.retry().dividedBy(EAGER) : terms.retry();
  }

  /** One look, as the thread does it; for simulations, which have no thread. */
  void look() {
    Instant now = clock.instant();
    View before = view;
    try {
      List<KubeObject> leases = store.list(group.getKey() + "=" + group.getValue());
      Optional<KubeObject> mine = named(leases, terms.name());
      if (own.isEmpty() || !mine.map(KubeObject::uid).equals(own.map(KubeObject::uid))) {
        join(mine, now);
      } else {
        own = mine;
        renew(living(leases, now), now);
      }
      lastFailure = Optional.empty();
    } catch (KubeFailure e) {
      boolean repeated =
          lastFailure.filter(last -> last.getMessage().equals(e.getMessage())).isPresent();
      lastFailure = Optional.of(e);
      LOG.atLevel(repeated ? Level.DEBUG : Level.WARN)
          .log("Cannot look at the Leases of replicas: {}", e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("A look at the Leases of replicas failed", e);
    }
    if (!before.share().equals(share())) {
      LOG.info(
          "{} {}; other replicas: {}",
          terms.identity(),
          share().self().isPresent() ? "has its share" : "has no share yet",
          view.others().keySet());
    }
  }

  /**
   * With another Lease: the process that deleted the last one no longer counts this one in. Not
   * while work of before is under way, which may be another one's by now, and would be allowed to
   * write again.
   */
  private void join(Optional<KubeObject> ofAnEarlierProcess, Instant now) {
    forsake();
    if (!listener.isWorkingOutside(_ -> false)) {
      ofAnEarlierProcess.ifPresent(store::delete);
      own = store.create(ReplicaPlanner.joining(terms, group, now));
    }
  }

  private void forsake() {
    renewed = Optional.empty();
    view = View.NONE;
    own = Optional.empty();
    acknowledged = Set.of();
    listener.divided(Share.NOTHING);
  }

  private void renew(List<KubeObject> others, Instant now) {
    KubeObject lease = own.orElseThrow();
    List<KubeObject> awaited =
        share().self().isPresent()
            ? List.of()
            : ReplicaPlanner.unacknowledging(lease.uid(), others);
    Share share =
        ReplicaPlanner.share(
            awaited.isEmpty() ? Optional.of(terms.identity()) : Optional.empty(),
            terms.identity(),
            others);
    // First known, then acknowledged: no work on what is another's begins in between.
    view =
        new View(
            share,
            others.stream()
                .collect(
                    Collectors.toMap(
                        ReplicaPlanner::identity,
                        other -> other.annotation(ReplicaPlanner.NOTE).orElse(""),
                        (one, _) -> one)),
            awaited.stream().map(ReplicaPlanner::identity).toList());
    listener.divided(share);
    acknowledged =
        ReplicaPlanner.acknowledged(acknowledged, others, !listener.isWorkingOutside(share::owns));
    store
        .update(ReplicaPlanner.renewed(terms, lease, acknowledged, listener.note(), now))
        .ifPresent(written -> {
          own = Optional.of(written);
          renewed = Optional.of(now);
        });
  }

  /** All others but those whose Lease has expired, which is deleted. */
  private List<KubeObject> living(List<KubeObject> leases, Instant now) {
    Instant answered = clock.instant();
    var present = new HashMap<String, Seen>();
    var living = new ArrayList<KubeObject>();
    for (KubeObject lease : leases) {
      if (lease.name().equals(terms.name())) {
        continue;
      }
      Seen last = seen.get(lease.uid());
      Seen current =
          last != null && last.lease().resourceVersion().equals(lease.resourceVersion())
              ? last
              : new Seen(lease, answered);
      present.put(lease.uid(), current);
      if (!ReplicaPlanner.isExpired(terms, lease, current.unchangedSince(), now)
          || !store.delete(lease)) {
        living.add(lease);
      }
    }
    seen = present;
    return living;
  }

  void leave() {
    renewed = Optional.empty();
    try {
      own.ifPresent(store::delete);
    } catch (KubeFailure e) {
      LOG.warn("Lease {} expires by itself: {}", terms.name(), e.getMessage());
    }
  }

  private static Optional<KubeObject> named(List<KubeObject> leases, String name) {
    return leases.stream().filter(lease -> lease.name().equals(name)).findFirst();
  }
}
