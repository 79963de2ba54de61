package dev.mooring.syncagent.agent;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.client.ConnectionOptions;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.client.RequestTally;
import dev.mooring.runtime.lease.LeaderListener;
import dev.mooring.runtime.lease.LeaderLock;
import dev.mooring.runtime.lease.LeaseTerms;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.syncagent.sync.ObjectSync;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent from start to stop. What is not there yet (a kubeconfig, a cluster, an endpoint slice)
 * is waited for, with a message that says what; nothing of that kind ends the process. Thread-safe.
 */
public final class SyncAgent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SyncAgent.class);
  private static final String SERVICE = "sync-agent";

  /** The Go agent's, so that the two exclude each other. */
  private static final String LEASE_PREFIX = "syncagent.";

  /** A kubeconfig that is mounted late appears within this time. */
  private static final Duration CONFIG_RECHECK = Duration.ofSeconds(5);

  private final AgentSettings settings;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread starter;
  private volatile String waitingFor = "not started";
  private volatile RunningAgent running;
  private volatile KubeConnection serviceConnection;
  private volatile KubeConnection kcpConnection;
  private volatile LeaderLock lock;

  private SyncAgent(AgentSettings settings) {
    this.settings = settings;
    this.starter = Thread.ofVirtual().name("sync-agent-start").unstarted(this::connect);
  }

  public static SyncAgent start(AgentSettings settings) {
    var agent = new SyncAgent(settings);
    agent.starter.start();
    return agent;
  }

  /** What keeps the agent from doing its work, for people; empty if nothing does. */
  public List<String> hindrances() {
    RunningAgent current = running;
    if (current != null) {
      return current.hindrances();
    }
    // One that only waits for its turn is as ready as it can be.
    return follows() ? List.of() : List.of(waitingFor);
  }

  /** Whether another replica leads, as last seen. */
  private boolean follows() {
    LeaderLock present = lock;
    return present != null && !present.leads() && !present.holder().isEmpty();
  }

  /** Empty until its kubeconfig could be read. */
  public Optional<KubeClient> serviceCluster() {
    return Optional.ofNullable(serviceConnection).map(KubeConnection::client);
  }

  /** Requests to the service cluster since it was connected; empty until then. */
  public Optional<RequestTally> serviceRequests() {
    return Optional.ofNullable(serviceConnection).map(KubeConnection::requests);
  }

  /** Requests to kcp since it was connected; empty until then. */
  public Optional<RequestTally> kcpRequests() {
    return Optional.ofNullable(kcpConnection).map(KubeConnection::requests);
  }

  public int publishedResources() {
    RunningAgent current = running;
    return current == null ? 0 : current.publishedResources();
  }

  /** The published types that are kept in step. */
  public List<ObjectSync> syncs() {
    RunningAgent current = running;
    return current == null ? List.of() : current.syncs();
  }

  /** The whole state, for operators, as a tree of JSON values. */
  public Map<String, Object> describe() {
    var described = new LinkedHashMap<String, Object>();
    described.put("agentName", settings.sync().agentName());
    described.put("endpointSlice", settings.publish().endpointSlice());
    described.put("hindrances", hindrances());
    LeaderLock present = lock;
    if (present != null) {
      described.put("leads", present.leads());
      described.put("leader", present.holder());
    }
    RunningAgent current = running;
    if (current != null) {
      described.putAll(current.describe());
    }
    return described;
  }

  /** One PublishedResource's state; empty if there is none of this name. */
  public Optional<Map<String, Object>> describe(String publishedName) {
    RunningAgent current = running;
    return current == null ? Optional.empty() : current.describe(publishedName);
  }

  /** Looks at everything again; false if the agent is not running yet. */
  public boolean resync() {
    RunningAgent current = running;
    if (current == null) {
      return false;
    }
    current.resync();
    return true;
  }

  /** Looks at one PublishedResource and its objects again; false if there is none. */
  public boolean resync(String publishedName) {
    RunningAgent current = running;
    return current != null && current.resync(publishedName);
  }

  /** Looks at one object again; false if there is none. */
  public boolean resync(String publishedName, ObjectKey key) {
    RunningAgent current = running;
    return current != null && current.resync(publishedName, key);
  }

  /** Lets writes under way end, then stops. Idempotent. */
  @Override
  public void close() {
    stop.countDown();
    starter.interrupt();
    follow();
    LeaderLock held = lock;
    if (held != null) {
      held.close(); // after the last write, so that the next leader finds everything settled
    }
    closeConnections();
  }

  private synchronized void closeConnections() {
    if (serviceConnection != null) {
      serviceConnection.close();
      kcpConnection.close();
    }
  }

  private void connect() {
    while (stop.getCount() > 0) {
      try {
        KubeConnection service = settings.serviceCluster().connect(ConnectionOptions.of(SERVICE));
        KubeConnection kcp = connectToKcp(service);
        LOG.info("Service cluster {}, kcp {}", service.server(), kcp.server());
        connected(service, kcp);
        return;
      } catch (IllegalArgumentException e) {
        if (!waitingFor.equals(e.getMessage())) {
          LOG.warn("Cannot connect yet, trying on every {}: {}", CONFIG_RECHECK, e.getMessage());
        }
        waitingFor = e.getMessage();
        rest();
      }
    }
  }

  private synchronized void connected(KubeConnection service, KubeConnection kcp) {
    if (stop.getCount() == 0) {
      service.close();
      kcp.close();
      return;
    }
    serviceConnection = service;
    kcpConnection = kcp;
    switch (settings.leadership()) {
      case Leadership.Alone() -> lead();
      case Leadership.ByLease(var namespace, var identity) ->
          lock =
              LeaderLock.start(
                  service.client(),
                  LeaseTerms.of(namespace, LEASE_PREFIX + settings.sync().agentName(), identity),
                  new LeaderListener() {
                    @Override
                    public void leads() {
                      lead();
                    }

                    @Override
                    public void follows() {
                      follow();
                    }
                  },
                  SystemTime.clock());
    }
  }

  private synchronized void lead() {
    if (running == null && stop.getCount() > 0) {
      running = new RunningAgent(settings, serviceConnection, kcpConnection);
    }
  }

  private synchronized void follow() {
    RunningAgent current = running;
    running = null;
    if (current != null) {
      current.close();
    }
  }

  private KubeConnection connectToKcp(KubeConnection service) {
    try {
      KubeConnection kcp =
          KubeConnection.fromKubeconfig(settings.kcpKubeconfig(), ConnectionOptions.of(SERVICE));
      if (!kcp.server().getPath().contains("/clusters/")) {
        kcp.close();
        throw new IllegalArgumentException(
            "the kcp kubeconfig "
                + settings.kcpKubeconfig()
                + " points at "
                + kcp.server()
                + ", which is no workspace: its server has to end in /clusters/<workspace>");
      }
      return kcp;
    } catch (IllegalArgumentException e) {
      service.close();
      throw e;
    }
  }

  private void rest() {
    try {
      if (stop.await(CONFIG_RECHECK.toSeconds(), TimeUnit.SECONDS)) {
        LOG.debug("Stopped while waiting for a kubeconfig");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop.countDown();
    }
  }
}
