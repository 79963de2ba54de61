package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.simulation.ConsumerViewModel;
import dev.mooring.syncagent.simulation.LaggingCache;
import dev.mooring.syncagent.simulation.LaggingCache.Seen;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.simulation.ServerModel.What;
import dev.mooring.syncagent.simulation.ServiceViewModel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One agent's watches on modelled servers; every one is full when it is opened, unless it is to be
 * filled later. One thread.
 */
public final class SimulatedWatches implements TypeWatches {
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  private final ServerModel kcp;
  private final ServerModel service;
  private final TreeMap<ResourceType, ServiceViewModel> onService = new TreeMap<>();
  private final List<ServiceViewModel> opened = new ArrayList<>();
  private final TreeMap<ResourceType, ConsumerViewModel> inKcp = new TreeMap<>();
  private final Map<LaggingCache, ChangeListener> tellers = new LinkedHashMap<>();
  private final List<Listener> listeners = new ArrayList<>();
  private final Set<ResourceType> slow = new HashSet<>();

  public SimulatedWatches(ServerModel kcp, ServerModel service) {
    this.kcp = kcp;
    this.service = service;
  }

  public List<LaggingCache> caches() {
    return List.copyOf(tellers.keySet());
  }

  /** Watches on the type that are opened from now on know nothing until they list anew. */
  public void fillLater(ResourceType type) {
    slow.add(type);
  }

  /** Tells listeners of what one of the caches has seen; nothing if it is none of these. */
  public void told(LaggingCache cache, Seen seen) {
    ChangeListener teller = tellers.get(cache);
    if (teller != null) {
      teller.changed(change(seen));
    }
  }

  static Change change(Seen seen) {
    if (seen.what() == What.REMOVED) {
      return new Change.Removed(seen.key(), seen.after());
    }
    return seen.before() == null
        ? new Change.Added(seen.key(), seen.after())
        : new Change.Updated(seen.key(), seen.before(), seen.after());
  }

  @Override
  public ServiceViewModel onService(ResourceType type) {
    return onService.computeIfAbsent(
        type, _ -> open(InformerSpec.of(type), teller(Side.SERVICE, type)));
  }

  @Override
  public ServiceViewModel onService(InformerSpec spec, ChangeListener listener) {
    return open(spec, listener);
  }

  private ServiceViewModel open(InformerSpec spec, ChangeListener listener) {
    var view = new ServiceViewModel(service, spec);
    fill(spec.type(), view.cache());
    tellers.put(view.cache(), listener);
    opened.add(view);
    return view;
  }

  /** How often an index of a watch on the service cluster was read. */
  public int lookups() {
    return opened.stream().mapToInt(ServiceViewModel::lookups).sum();
  }

  private void fill(ResourceType type, LaggingCache cache) {
    if (!slow.contains(type)) {
      cache.relist();
    }
  }

  @Override
  public ConsumerViewModel inKcp(ResourceType type) {
    return inKcp.computeIfAbsent(
        type,
        _ -> {
          var view = new ConsumerViewModel(kcp, type);
          fill(type, view.cache());
          tellers.put(view.cache(), teller(Side.KCP, type));
          return view;
        });
  }

  @Override
  public ServiceViewModel states(String namespace) {
    return open(
        InformerSpec.of(SECRETS)
            .inNamespace(namespace)
            .withLabels(SyncMarks.OBJECT_STATE + "=true"),
        teller(Side.SERVICE, SECRETS));
  }

  @Override
  public Subscription listen(Listener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  private ChangeListener teller(Side side, ResourceType type) {
    return change -> List.copyOf(listeners).forEach(l -> l.changed(side, type, change));
  }
}
