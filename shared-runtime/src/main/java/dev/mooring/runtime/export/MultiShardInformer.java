package dev.mooring.runtime.export;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.runtime.watch.InformerTiming;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * One type in all workspaces that bind an APIExport: one informer for each endpoint of an {@link
 * ExportView}, that is, for each shard, added and removed as endpoints come and go. Thread-safe.
 */
public final class MultiShardInformer implements MultiShardLister, AutoCloseable {
  private final ExportView view;
  private final InformerSpec spec;
  private final ChangeListener listener;
  private final ConcurrentSkipListMap<URI, Informer> informers = new ConcurrentSkipListMap<>();
  private boolean closed;

  /**
   * @param listener called for every change of any endpoint's objects; must not block
   */
  MultiShardInformer(ExportView view, InformerSpec spec, ChangeListener listener) {
    this.view = view;
    this.spec = spec;
    this.listener = listener;
  }

  /** Keeps informers at these endpoints only. Objects of an endpoint that left are forgotten. */
  synchronized void follow(Set<URI> endpoints) {
    if (closed) {
      return; // the view may still be about to hand over endpoints
    }
    informers.forEach((endpoint, informer) -> {
      if (!endpoints.contains(endpoint)) {
        // Until its last event workers look up here at which endpoint an object is.
        informer.close();
        informers.remove(endpoint);
      }
    });
    for (URI endpoint : endpoints) {
      if (!informers.containsKey(endpoint)) {
        start(endpoint);
      }
    }
  }

  private void start(URI endpoint) {
    var informer =
        new Informer(view.everyWorkspace(endpoint), spec, listener, InformerTiming.prompt());
    // Before its first event: workers look up here at which endpoint an object is.
    informers.put(endpoint, informer);
    informer.start();
    // The caller holds locks that listeners may wait for.
    informer.synced().thenRunAsync(view::listed, Thread::startVirtualThread);
  }

  /** Lists all endpoints' objects again, while what is cached of them stays in use. */
  public synchronized void relist() {
    informers.values().forEach(Informer::relist);
  }

  Collection<Informer> informers() {
    return informers.values();
  }

  Optional<Informer> informer(URI endpoint) {
    return Optional.ofNullable(informers.get(endpoint));
  }

  ResourceType type() {
    return spec.type();
  }

  @Override
  public boolean isSynced() {
    return !informers.isEmpty()
        && view.knowsEveryEndpoint()
        && informers.values().stream().allMatch(Informer::isSynced);
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
    return informer(endpoint).filter(Informer::isSynced).isPresent();
  }

  @Override
  public Optional<KubeObject> find(ObjectKey key) {
    return informers.values().stream().flatMap(i -> i.cache().get(key).stream()).findFirst();
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
    return endpointOf(key).map(endpoint -> view.workspace(endpoint, key.cluster()));
  }

  @Override
  public List<KubeClient> clientsFor(LogicalCluster cluster) {
    return informers.keySet().stream().map(endpoint -> view.workspace(endpoint, cluster)).toList();
  }

  @Override
  public List<KubeReader> everywhere() {
    return informers.keySet().stream().<KubeReader>map(view::everyWorkspace).toList();
  }

  @Override
  public synchronized void close() {
    closed = true;
    view.closed(this);
    informers.values().forEach(Informer::close);
    informers.clear();
  }
}
