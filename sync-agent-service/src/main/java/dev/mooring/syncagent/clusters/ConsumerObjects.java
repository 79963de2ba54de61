package dev.mooring.syncagent.clusters;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.runtime.watch.InformerTiming;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * One type in all workspaces that bind the export: one wildcard watch per endpoint (that is, per
 * shard), added and removed as endpoints come and go. Thread-safe.
 */
public final class ConsumerObjects implements ConsumerView, AutoCloseable {
  private final KubeConnection kcp;
  private final ResourceType type;
  private final ChangeListener listener;
  private final ConcurrentSkipListMap<URI, Informer> informers = new ConcurrentSkipListMap<>();
  private final Owner owner;

  /** Endpoints may be told of to one that is closed at that moment. */
  private boolean closed;

  /** Knows the endpoints. */
  interface Owner {
    /** Whether every shard that may have objects is among the endpoints. */
    boolean knowsEveryEndpoint();

    /** All objects of an endpoint were listed for the first time; must not block. */
    void listed();

    void closed(ConsumerObjects objects);
  }

  /**
   * @param listener called for every change of any endpoint's objects; must not block
   */
  ConsumerObjects(KubeConnection kcp, ResourceType type, ChangeListener listener, Owner owner) {
    this.kcp = kcp;
    this.type = type;
    this.listener = listener;
    this.owner = owner;
  }

  /** From now on these endpoints and no others. Objects of an endpoint that left are forgotten. */
  synchronized void follow(Set<URI> endpoints) {
    if (closed) {
      return;
    }
    informers
        .entrySet()
        .removeIf(entry -> {
          if (endpoints.contains(entry.getKey())) {
            return false;
          }
          entry.getValue().close();
          return true;
        });
    for (URI endpoint : endpoints) {
      informers.computeIfAbsent(endpoint, this::start);
    }
  }

  private Informer start(URI endpoint) {
    Informer informer =
        Informer.start(
            Endpoints.everyWorkspace(kcp, endpoint),
            InformerSpec.of(type).with(InformerSpec.AfterWatch.LIST_AGAIN),
            listener,
            InformerTiming.prompt());
    informer.synced().thenRun(owner::listed);
    return informer;
  }

  /** Lists all endpoints' objects anew, while what is known of them stays in use. */
  public synchronized void relist() {
    informers.values().forEach(Informer::relist);
  }

  @Override
  public boolean isSynced() {
    return !informers.isEmpty()
        && owner.knowsEveryEndpoint()
        && informers.values().stream().allMatch(Informer::isSynced);
  }

  /** Of one endpoint. */
  List<ObjectKey> keys(URI endpoint) {
    Informer informer = informers.get(endpoint);
    return informer == null ? List.of() : informer.cache().keys();
  }

  /** Of one endpoint. */
  Optional<KubeFailure> lastFailure(URI endpoint) {
    return Optional.ofNullable(informers.get(endpoint)).flatMap(Informer::lastFailure);
  }

  @Override
  public Optional<KubeFailure> lastFailure() {
    return informers.values().stream().flatMap(i -> i.lastFailure().stream()).findFirst();
  }

  @Override
  public boolean isSynced(ObjectKey key) {
    return endpointOf(key).map(this::isSynced).orElse(false);
  }

  @Override
  public boolean isSynced(URI endpoint) {
    Informer informer = informers.get(endpoint);
    return informer != null && informer.isSynced();
  }

  @Override
  public Optional<KubeObject> find(ObjectKey key) {
    for (Informer informer : informers.values()) {
      Optional<KubeObject> found = informer.cache().get(key);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  @Override
  public List<ObjectKey> keys() {
    return informers.values().stream().flatMap(i -> i.cache().keys().stream()).toList();
  }

  @Override
  public List<KubeObject> inCluster(LogicalCluster cluster) {
    return informers.values().stream().flatMap(i -> i.cache().inCluster(cluster).stream()).toList();
  }

  public int size() {
    return informers.values().stream().mapToInt(i -> i.cache().size()).sum();
  }

  @Override
  public Optional<URI> endpointOf(ObjectKey key) {
    return informers.entrySet().stream()
        .filter(entry -> entry.getValue().cache().get(key).isPresent())
        .map(Map.Entry::getKey)
        .findFirst();
  }

  @Override
  public Optional<KubeClient> clientFor(ObjectKey key) {
    LogicalCluster cluster = key.cluster();
    return endpointOf(key).map(endpoint -> Endpoints.workspace(kcp, endpoint, cluster));
  }

  @Override
  public List<KubeClient> clientsFor(LogicalCluster cluster) {
    return informers.keySet().stream()
        .map(endpoint -> Endpoints.workspace(kcp, endpoint, cluster))
        .toList();
  }

  @Override
  public List<KubeReader> everywhere() {
    return informers.keySet().stream()
        .<KubeReader>map(endpoint -> Endpoints.everyWorkspace(kcp, endpoint))
        .toList();
  }

  @Override
  public synchronized void close() {
    closed = true;
    owner.closed(this);
    informers.values().forEach(Informer::close);
    informers.clear();
  }
}
