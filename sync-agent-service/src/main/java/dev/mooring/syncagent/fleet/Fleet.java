package dev.mooring.syncagent.fleet;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.InformerSpec;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The service cluster and all workspaces that bind the export. Watches that several published types
 * need are opened once, here. Thread-safe.
 */
public final class Fleet implements AutoCloseable {
  private final KubeConnection kcp;
  private final KubeClient service;
  private final ServiceObjects namespaces;
  private final CopyOnWriteArrayList<ConsumerObjects> followers = new CopyOnWriteArrayList<>();
  private final CopyOnWriteArrayList<ChangeListener> namespaceListeners =
      new CopyOnWriteArrayList<>();
  private Set<URI> endpoints = Set.of();

  public Fleet(KubeConnection kcp, KubeClient service) {
    this.kcp = kcp;
    this.service = service;
    this.namespaces =
        new ServiceObjects(
            service,
            InformerSpec.of(ResourceType.core("namespaces")),
            change -> namespaceListeners.forEach(listener -> listener.changed(change)));
  }

  public KubeClient service() {
    return service;
  }

  /** Namespaces of the service cluster. */
  public ServiceObjects namespaces() {
    return namespaces;
  }

  /**
   * Tells of changes in the service cluster's Namespaces until the answer is closed; not of those
   * that are there already.
   */
  public Subscription onNamespaceChange(ChangeListener listener) {
    namespaceListeners.add(listener);
    return () -> namespaceListeners.remove(listener);
  }

  /** Ends being told. */
  @FunctionalInterface
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /** The virtual workspace's addresses, one per shard, as the endpoint slice has them now. */
  public synchronized void endpoints(Set<URI> current) {
    endpoints = Set.copyOf(current);
    followers.forEach(follower -> follower.follow(endpoints));
  }

  public synchronized Set<URI> endpoints() {
    return endpoints;
  }

  /** Follows a type in all workspaces, now and as endpoints change, until it is closed. */
  public synchronized ConsumerObjects follow(ResourceType type, ChangeListener listener) {
    var objects = new ConsumerObjects(kcp, type, listener, this::unfollow);
    followers.add(objects);
    objects.follow(endpoints);
    return objects;
  }

  private void unfollow(ConsumerObjects objects) {
    followers.remove(objects);
  }

  @Override
  public void close() {
    followers.forEach(ConsumerObjects::close);
    namespaces.close();
  }
}
