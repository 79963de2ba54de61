package dev.mooring.syncagent.agent;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.lease.LeaderListener;
import dev.mooring.runtime.lease.LeaderLock;
import dev.mooring.runtime.lease.LeaseTerms;
import dev.mooring.runtime.lease.Share;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.trace.Telemetry;
import dev.mooring.syncagent.agent.RunningAgent.KnownEndpoints;
import dev.mooring.syncagent.clusters.WorkShare;
import dev.mooring.syncagent.publish.Publisher;
import dev.mooring.syncagent.sync.ObjectSync;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent from start to stop. What is not there yet (a kubeconfig, a cluster, an endpoint slice)
 * is waited for, with a message that says what; nothing of that kind ends the process. Thread-safe.
 */
public final class SyncAgent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SyncAgent.class);

  /** A kubeconfig that is mounted late, or a new certificate, is noticed within this time. */
  private static final Duration CONFIG_RECHECK = Duration.ofSeconds(2);

  private final AgentSettings settings;
  private final Telemetry telemetry;
  private final Clocks clocks;
  private final Scheduler scheduler;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread starter;
  private volatile String waitingFor = "not started";
  private volatile @Nullable RunningAgent running;
  private volatile @Nullable Connections connections;
  private volatile @Nullable LeaderLock lock;
  private volatile @Nullable SharedWork shared;
  private KnownEndpoints known = KnownEndpoints.NONE;

  /** The kcp of the known endpoints; null while there are none. */
  private @Nullable URI knownAt;

  private SyncAgent(
      AgentSettings settings, Telemetry telemetry, Clocks clocks, Scheduler scheduler) {
    this.settings = settings;
    this.telemetry = telemetry;
    this.clocks = clocks;
    this.scheduler = scheduler;
    this.starter = Thread.ofVirtual().name("sync-agent-start").unstarted(this::keepConnected);
  }

  /**
   * @param telemetry for the meters of published types, and the traces of objects
   */
  public static SyncAgent start(
      AgentSettings settings, Telemetry telemetry, Clocks clocks, Scheduler scheduler) {
    var agent = new SyncAgent(settings, telemetry, clocks, scheduler);
    agent.starter.start();
    return agent;
  }

  /** What keeps the agent from doing its work, for people; empty if nothing does. */
  public List<String> reasons() {
    RunningAgent current = running;
    if (current != null) {
      return current.reasons();
    }
    SharedWork sharing = shared;
    if (sharing != null) {
      return sharing.waitsFor().map(List::of).orElseGet(() -> List.of("starting"));
    }
    // One that only waits for its turn is as ready as it can be.
    LeaderLock present = lock;
    if (present == null) {
      return List.of(waitingFor);
    }
    boolean otherLeads = !present.leads() && !present.holder().isEmpty();
    return present
        .lastFailure()
        .map(failure -> List.of(waitingFor + ": " + failure.getMessage()))
        .orElseGet(() -> otherLeads ? List.of() : List.of(waitingFor));
  }

  /** Empty until its kubeconfig could be read; another one after that has changed. */
  public Optional<KubeClient> serviceCluster() {
    return connections().map(Connections::serviceClient);
  }

  /** Empty until both servers are known; others once kubeconfigs or certificates have changed. */
  public Optional<Connections> connections() {
    return Optional.ofNullable(connections);
  }

  /** Empty while this replica does not act: it needs the Lease, or has no connections. */
  public Optional<RunningAgent> running() {
    return Optional.ofNullable(running);
  }

  /** Whether this replica publishes: it acts, and holds the Lease or needs none. */
  public boolean leads() {
    LeaderLock present = lock;
    return running().isPresent() && (present == null || present.leads());
  }

  /** The other replica that works on the logical cluster; empty if there is none. */
  public Optional<String> otherOwner(LogicalCluster cluster) {
    return Optional.ofNullable(shared)
        .map(sharing -> sharing.work().share())
        .filter(share -> !share.owns(cluster))
        .flatMap(share -> share.owner(cluster));
  }

  /** Identities of the replicas that share the work; empty if they do not. */
  public Set<String> sharing() {
    return Optional.ofNullable(shared).map(SharedWork::members).orElse(Set.of());
  }

  /** The published types that are kept in step. */
  public List<ObjectSync> syncs() {
    return running().map(current -> current.supervisor().all()).orElse(List.of());
  }

  /**
   * Why PublishedResources cannot be listed or followed, by their names; those that can are not in
   * it.
   */
  public Map<String, String> failingResources() {
    return running().map(RunningAgent::failingResources).orElse(Map.of());
  }

  /** The whole state, for operators, as a tree of JSON values. */
  public Map<String, Object> describe() {
    var described =
        Trees.ordered(
            "agentName", settings.sync().agentName(),
            "endpointSlice", settings.publish().endpointSlice(),
            "reasons", reasons(),
            "failingResources", failingResources());
    LeaderLock present = lock;
    if (present != null) {
      described.put("leads", present.leads());
      described.put("leader", present.holder());
    }
    if (!sharing().isEmpty()) {
      described.put("replica", settings.lease().orElseThrow().identity());
      described.put("replicas", List.copyOf(sharing()));
    }
    running().ifPresent(current -> described.putAll(current.describe()));
    return described;
  }

  /** Lets writes under way end, then stops. Idempotent. */
  @Override
  public void close() {
    stop.countDown();
    disconnect();
  }

  private void disconnect() {
    rememberEndpoints();
    SharedWork sharing = shared;
    shared = null; // so that a share that is gained now starts nothing
    follow(RunningAgent.DRAIN);
    LeaderLock held = lock;
    if (sharing != null) {
      sharing.close();
    } else if (held != null) {
      held.close(); // after the last write, so that the next leader finds everything settled
    }
    closeConnections();
  }

  /** A slice may be remade, and so list fewer endpoints, just while the agent connects again. */
  private synchronized void rememberEndpoints() {
    RunningAgent current = running;
    Connections present = connections;
    if (current != null && present != null) {
      known = current.knownEndpoints();
      knownAt = present.kcp().server();
    }
  }

  private synchronized void closeConnections() {
    connections().ifPresent(Connections::close);
  }

  /** Starts as soon as there are credentials, and restarts in place when these change. */
  private void keepConnected() {
    do {
      try {
        connectIfOutdated();
      } catch (RuntimeException e) {
        LOG.error("Cannot start, retrying every {}", CONFIG_RECHECK, e);
        waitingFor = "the agent cannot start: " + e;
        abandon();
      }
    } while (!stopsWhileResting());
  }

  private void connectIfOutdated() {
    Connections present = connections;
    if (present == null || present.outdated()) {
      open()
          .ifPresent(opened -> {
            if (present != null) {
              LOG.info("Kubeconfigs or certificates changed: reconnecting with the new ones");
              disconnect();
            }
            connected(opened);
          });
    }
  }

  /** Stops everything, so that the next attempt starts from nothing. */
  private void abandon() {
    disconnect();
    synchronized (this) {
      lock = null;
      connections = null;
    }
  }

  private Optional<Connections> open() {
    try {
      Connections opened = Connections.open(settings);
      LOG.info("Service cluster {}, kcp {}", opened.service().server(), opened.kcp().server());
      return Optional.of(opened);
    } catch (RuntimeException e) {
      String why =
          e instanceof IllegalArgumentException ? String.valueOf(e.getMessage()) : e.toString();
      if (!waitingFor.equals(why)) {
        LOG.warn("Cannot connect yet, retrying every {}: {}", CONFIG_RECHECK, why);
      }
      waitingFor = why;
      return Optional.empty();
    }
  }

  private synchronized void connected(Connections opened) {
    if (stop.getCount() == 0) {
      opened.close();
      return;
    }
    connections = opened;
    settings
        .lease()
        .ifPresentOrElse(
            terms -> {
              switch (settings.replicas()) {
                case STANDBY -> compete(opened, terms);
                case SHARING -> share(opened, terms);
              }
            },
            () -> lead(() -> true, new WorkShare(Share.EVERYTHING), Publisher.ALONE));
  }

  private void share(Connections opened, LeaseTerms terms) {
    SharedWork started =
        SharedWork.start(
            opened.serviceClient(),
            terms,
            settings.sync().agentName(),
            new ShareOwner(),
            clocks.steady());
    lock = started.lock();
    shared = started;
  }

  /** Starts and stops take their time, while the Lease has to be renewed. */
  private final class ShareOwner implements SharedWork.Owner {
    @Override
    public void divided() {
      Thread.startVirtualThread(SyncAgent.this::followShare);
    }

    @Override
    public void replicasChanged() {
      if (leads()) {
        running().ifPresent(RunningAgent::everythingChanged);
      }
    }

    @Override
    public String note() {
      return running().map(RunningAgent::note).orElse("");
    }
  }

  private synchronized void followShare() {
    SharedWork sharing = shared;
    if (sharing == null) {
      return;
    }
    if (sharing.isSuspended()) {
      follow(RunningAgent.DRAIN);
      if (sharing.resume()) {
        lead(sharing::mayWrite, sharing.work(), sharing);
      }
    } else {
      running().ifPresent(RunningAgent::divided);
    }
  }

  private void compete(Connections opened, LeaseTerms terms) {
    waitingFor = "waiting for the Lease " + terms.name();
    lock =
        LeaderLock.start(
            opened.serviceClient(),
            terms,
            new LeaderListener() {
              @Override
              public void leads() {
                lead(SyncAgent.this::holdsLease, new WorkShare(Share.EVERYTHING), Publisher.ALONE);
              }

              @Override
              public void follows(Duration grace) {
                follow(grace);
              }
            },
            clocks.steady());
  }

  /** Work that outlasts the Lease, by however little, is not to meet the next leader's. */
  private synchronized void lead(BooleanSupplier mayWrite, WorkShare work, Publisher publisher) {
    Connections present = connections;
    if (running == null && present != null && stop.getCount() > 0) {
      running =
          RunningAgent.start(
              settings,
              work,
              publisher,
              present.service().writingWhile(mayWrite),
              present.kcp().writingWhile(mayWrite),
              present.kcp().server().equals(knownAt) ? known : KnownEndpoints.NONE,
              telemetry,
              clocks,
              scheduler);
    }
  }

  private boolean holdsLease() {
    LeaderLock present = lock;
    return present != null && present.leads();
  }

  private synchronized void follow(Duration drain) {
    RunningAgent current = running;
    running = null;
    if (current != null) {
      current.close(drain);
    }
  }

  private boolean stopsWhileResting() {
    try {
      return stop.await(CONFIG_RECHECK.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
