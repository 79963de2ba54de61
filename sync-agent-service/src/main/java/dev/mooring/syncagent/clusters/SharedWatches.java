package dev.mooring.syncagent.clusters;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.export.MultiShardInformer;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Watches on types that several published types need, such as Secrets: each is opened when it is
 * first asked for and stays open, so that a change of configuration costs no new list. Thread-safe.
 */
public final class SharedWatches implements TypeWatches, AutoCloseable {
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  private final KubeClient service;
  private final ExportView export;
  private final TreeMap<ResourceType, ServiceObjects> onService = new TreeMap<>();
  private final TreeMap<ResourceType, MultiShardInformer> inKcp = new TreeMap<>();
  private final TreeMap<String, ServiceObjects> states = new TreeMap<>();
  private final CopyOnWriteArrayList<Listener> listeners = new CopyOnWriteArrayList<>();
  private final CopyOnWriteArrayList<ServiceObjects> others = new CopyOnWriteArrayList<>();

  SharedWatches(KubeClient service, ExportView export) {
    this.service = service;
    this.export = export;
    inKcp.put(ExportView.BINDINGS, export.bindings());
  }

  /** An APIBinding of the export changed: the export's view watches these. */
  void bindingChanged(Change change) {
    notify(Side.KCP, ExportView.BINDINGS, change);
  }

  @Override
  public synchronized ServiceObjects onService(ResourceType type) {
    return onService.computeIfAbsent(
        type,
        _ -> ServiceObjects.start(service, InformerSpec.of(type), forward(Side.SERVICE, type)));
  }

  @Override
  public ServiceObjects onService(InformerSpec spec, ChangeListener listener) {
    var opened = ServiceObjects.start(service, spec, listener);
    others.add(opened);
    return opened;
  }

  /** Every type of the service cluster that is watched here. */
  synchronized List<ServiceObjects> ofService() {
    return List.copyOf(onService.values());
  }

  @Override
  public synchronized MultiShardInformer inKcp(ResourceType type) {
    return inKcp.computeIfAbsent(type, _ -> export.follow(type, forward(Side.KCP, type)));
  }

  /**
   * Listeners get changes as those of Secrets. Separate from {@link #onService}, so that keeping
   * states does not take a watch on all Secrets.
   */
  @Override
  public synchronized ServiceObjects states(String namespace) {
    return states.computeIfAbsent(
        namespace,
        _ ->
            ServiceObjects.start(
                service,
                InformerSpec.of(SECRETS)
                    .inNamespace(namespace)
                    .withLabels(SyncMarks.OBJECT_STATE + "=true"),
                forward(Side.SERVICE, SECRETS)));
  }

  @Override
  public Subscription listen(Listener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  private ChangeListener forward(Side side, ResourceType type) {
    return change -> notify(side, type, change);
  }

  private void notify(Side side, ResourceType type, Change change) {
    listeners.forEach(each -> each.changed(side, type, change));
  }

  @Override
  public synchronized void close() {
    onService.values().forEach(ServiceObjects::close);
    states.values().forEach(ServiceObjects::close);
    inKcp.values().forEach(MultiShardInformer::close);
    others.forEach(ServiceObjects::close);
  }
}
