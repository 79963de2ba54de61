package dev.mooring.syncagent.agent;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.lease.LeaderListener;
import dev.mooring.runtime.lease.LeaderLock;
import dev.mooring.runtime.lease.LeaseTerms;
import dev.mooring.runtime.lease.ReplicaListener;
import dev.mooring.runtime.lease.Replicas;
import dev.mooring.runtime.lease.Share;
import dev.mooring.syncagent.clusters.WorkShare;
import dev.mooring.syncagent.publish.Publisher;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.decide.ReplicaNote;
import dev.mooring.syncagent.sync.decide.SyncState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * This replica among those that share the agent's work: each has a Lease of its own, and the holder
 * of the agent's Lease publishes. While that is not one of these, but the Go agent or a replica
 * that waits for its turn, these work on nothing. Thread-safe.
 */
final class SharedWork implements Publisher, ReplicaListener, AutoCloseable {
  /** Label of the replicas' Leases; the value is the agent's name. */
  private static final String REPLICA_OF = SyncMarks.GROUP + "/replica-of";

  /** All objects are counted for a note. */
  private static final Duration NOTE_AGE = Duration.ofSeconds(5);

  private final WorkShare work = new WorkShare(Share.NOTHING);
  private final Owner owner;
  private final InstantSource clock;
  private final LeaderLock lock;
  private final Replicas replicas;

  // Of the thread that looks at the replicas.
  private Map<String, String> notes = Map.of();
  private String ownNote = "";
  private Instant noted = Instant.EPOCH;
  private final Set<String> known = new HashSet<>();

  /** What this replica is to work on. */
  private Share target = Share.NOTHING;

  /** Whether one of the replicas holds the agent's Lease, as far as was seen. */
  private volatile boolean isOurs;

  /** Whose share it is; its methods must not block. */
  interface Owner {
    /** This replica's share is another one. */
    void divided();

    /** Who publishes, or what another replica says of its objects, may have changed. */
    void replicasChanged();

    /** See {@link ReplicaNote}. */
    String note();
  }

  private SharedWork(
      KubeClient service,
      LeaseTerms publishing,
      String agentName,
      Owner owner,
      InstantSource clock) {
    this.owner = owner;
    this.clock = clock;
    this.lock = LeaderLock.start(service, publishing, new PublisherListener(owner), clock);
    String name =
        publishing.name()
            + "."
            + publishing.identity().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-");
    this.replicas =
        Replicas.of(
            service,
            LeaseTerms.of(publishing.namespace(), name, publishing.identity()),
            Map.entry(REPLICA_OF, agentName),
            this,
            clock);
  }

  /**
   * @param publishing the agent's Lease
   */
  static SharedWork start(
      KubeClient service,
      LeaseTerms publishing,
      String agentName,
      Owner owner,
      InstantSource clock) {
    var shared = new SharedWork(service, publishing, agentName, owner, clock);
    shared.replicas.start();
    return shared;
  }

  private record PublisherListener(Owner owner) implements LeaderListener {
    @Override
    public void leads() {
      owner.replicasChanged();
    }

    @Override
    public void follows(Duration grace) {
      // The reconciler asks before each write, and each is conditional.
    }
  }

  WorkShare work() {
    return work;
  }

  LeaderLock lock() {
    return lock;
  }

  boolean mayWrite() {
    return isOurs && replicas.isCurrent();
  }

  /** Identities of all replicas, as far as they are known; sorted. */
  Set<String> members() {
    return new TreeSet<>(replicas.share().members());
  }

  /** Why this replica works on nothing; empty if it works on its share. */
  Optional<String> waitsFor() {
    return replicas
        .waitsFor()
        .or(() ->
            isOurs
                ? Optional.empty()
                : Optional.of(
                    lock.holder().isEmpty()
                        ? "waiting until a replica holds the agent's Lease"
                        : lock.holder()
                            + " holds the agent's Lease and does not share the work: stop it"));
  }

  @Override
  public boolean publishes() {
    return lock.leads();
  }

  @Override
  public SyncState merged(String publishedName, SyncState own) {
    return ReplicaNote.merged(publishedName, own, replicas.others().values());
  }

  @Override
  public void divided(Share share) {
    if (turnTo(share)) {
      owner.divided();
    }
    if (!notes.equals(replicas.others())) {
      notes = replicas.others();
      owner.replicasChanged();
    }
  }

  /**
   * What is lost is not begun any more. For what is gained this replica has to start again: its
   * caches and what it remembers of its own writes may be older than what others did there.
   *
   * @return whether the share is another one
   */
  private synchronized boolean turnTo(Share share) {
    known.addAll(share.members());
    String holder = lock.holder();
    // After its release the Lease has no holder for a moment.
    if (!holder.isEmpty()) {
      isOurs = known.contains(holder);
    }
    Share next = isOurs ? share : Share.NOTHING;
    if (next.equals(target)) {
      return false;
    }
    work.divide(isSuspended() || !next.isWithin(target) ? Share.NOTHING : next);
    target = next;
    return true;
  }

  /** Whether this replica has to start again before it works on its share. */
  boolean isSuspended() {
    return work.share().self().isEmpty();
  }

  /** Nothing of before is under way; false if the share is nothing. */
  synchronized boolean resume() {
    work.divide(target);
    return !isSuspended();
  }

  @Override
  public boolean isWorkingOutside(Predicate<LogicalCluster> owned) {
    return work.isWorkingOutside(owned);
  }

  @Override
  public String note() {
    Instant now = clock.instant();
    if (noted.plus(NOTE_AGE).isBefore(now)) {
      noted = now;
      ownNote = owner.note();
    }
    return ownNote;
  }

  /** Once the last write has ended: the others take over at once. */
  @Override
  public void close() {
    replicas.close();
    lock.close();
  }
}
