package dev.mooring.syncagent.simulation;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.fleet.ConsumerView;
import java.util.Optional;

/** A type in all modelled workspaces as a wildcard watch that lags behind shows it. */
public final class ConsumerViewModel implements ConsumerView {
  private final ServerModel server;
  private final LaggingCache cache;

  public ConsumerViewModel(ServerModel server, ResourceType type) {
    this.server = server;
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
  public Optional<KubeClient> clientFor(ObjectKey key) {
    return find(key).map(_ -> server.client(key.cluster()));
  }
}
