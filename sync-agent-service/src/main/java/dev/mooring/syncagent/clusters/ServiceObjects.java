package dev.mooring.syncagent.clusters;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Objects of one type on the service cluster, found by namespace and name: the service cluster is
 * one cluster, also where it is a kcp workspace. Thread-safe.
 */
public final class ServiceObjects implements ServiceView, AutoCloseable {
  private final InformerSpec spec;
  private final Informer informer;
  private final Consumer<ServiceObjects> whenClosed;

  private ServiceObjects(
      InformerSpec spec, Informer informer, Consumer<ServiceObjects> whenClosed) {
    this.spec = spec;
    this.informer = informer;
    this.whenClosed = whenClosed;
  }

  /**
   * @param listener called for every change; must not block
   */
  public static ServiceObjects start(
      KubeClient service, InformerSpec spec, ChangeListener listener) {
    return start(service, spec, listener, _ -> {});
  }

  static ServiceObjects start(
      KubeClient service,
      InformerSpec spec,
      ChangeListener listener,
      Consumer<ServiceObjects> whenClosed) {
    return new ServiceObjects(spec, Informer.start(service, spec, listener), whenClosed);
  }

  @Override
  public Optional<KubeObject> find(String namespace, String name) {
    return informer.cache().find(namespace, name);
  }

  @Override
  public List<KubeObject> indexed(String index, String value) {
    return informer.cache().indexed(index, value);
  }

  @Override
  public List<KubeObject> inNamespace(String namespace) {
    return informer.cache().inNamespace(namespace);
  }

  /** Whether the server has any of these objects in a Namespace; asks it, not the cache. */
  NamespaceContents stored(KubeReader service, String namespace) {
    try {
      ListQuery query =
          ListQuery.ALL
              .inNamespace(namespace)
              .withLabels(spec.query().labelSelector())
              .withLimit(1);
      return service.list(spec.type(), query).items().isEmpty()
          ? NamespaceContents.NOTHING
          : NamespaceContents.SOMETHING;
    } catch (KubeFailure e) {
      if (e.kind() == KubeFailure.Kind.NOT_SERVED) {
        // Objects outlive the version that they were read in.
        return NamespaceContents.UNKNOWN;
      }
      throw e;
    }
  }

  public int size() {
    return informer.cache().size();
  }

  public List<KubeObject> all() {
    return informer.cache().all();
  }

  @Override
  public boolean isSynced() {
    return informer.isSynced();
  }

  /** As {@link Informer#relist}. */
  public void relist() {
    informer.relist();
  }

  /** As {@link Informer#synced}. */
  public CompletableFuture<Void> synced() {
    return informer.synced();
  }

  @Override
  public Optional<KubeFailure> lastFailure() {
    return informer.lastFailure();
  }

  @Override
  public void close() {
    whenClosed.accept(this);
    informer.close();
  }
}
