package dev.mooring.syncagent.simulation;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.export.MultiShardLister;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A type in all modelled workspaces as a wildcard watch that lags behind shows it. */
public final class ConsumerViewModel implements MultiShardLister {
  private static final URI ENDPOINT = URI.create("https://model.example.io/");

  private final ServerModel server;
  private final ResourceType type;
  private final LaggingCache cache;

  public ConsumerViewModel(ServerModel server, ResourceType type) {
    this.server = server;
    this.type = type;
    this.cache = new LaggingCache(server, type, _ -> true);
  }

  public LaggingCache cache() {
    return cache;
  }

  @Override
  public Optional<KubeObject> find(ObjectKey key) {
    return Optional.ofNullable(cache.all().get(key));
  }

  @Override
  public boolean isSynced(ObjectKey key) {
    return find(key).isPresent();
  }

  @Override
  public boolean isSynced(URI endpoint) {
    return cache.isListed();
  }

  @Override
  public boolean isSynced() {
    return cache.isListed();
  }

  @Override
  public List<KubeClient> clientsFor(LogicalCluster cluster) {
    return List.of(server.client(cluster));
  }

  @Override
  public List<KubeReader> everywhere() {
    return List.of(server.everyCluster());
  }

  @Override
  public Optional<KubeFailure> lastFailure() {
    return server.notServed(type);
  }

  @Override
  public List<ObjectKey> keys() {
    return List.copyOf(cache.all().keySet());
  }

  @Override
  public List<KubeObject> inCluster(LogicalCluster cluster) {
    return cache.all().entrySet().stream()
        .filter(entry -> entry.getKey().cluster().equals(cluster))
        .map(Map.Entry::getValue)
        .toList();
  }

  @Override
  public Optional<URI> endpointOf(ObjectKey key) {
    return find(key).map(_ -> ENDPOINT);
  }

  @Override
  public Optional<KubeClient> clientFor(ObjectKey key) {
    return find(key).map(_ -> server.client(key.cluster()));
  }
}
