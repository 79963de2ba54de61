package dev.mooring.syncagent.fleet;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.published.SyncMarks;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.InformerSpec;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Watches on types that several published types need, such as Secrets: each is opened when it is
 * first asked for and stays open, so that a change of configuration costs no new list. Thread-safe.
 */
public final class SharedWatches implements AutoCloseable {
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  private final Fleet fleet;
  private final TreeMap<ResourceType, ServiceObjects> onService = new TreeMap<>();
  private final TreeMap<ResourceType, ConsumerObjects> inKcp = new TreeMap<>();
  private final TreeMap<String, ServiceObjects> states = new TreeMap<>();
  private final CopyOnWriteArrayList<Listening> listeners = new CopyOnWriteArrayList<>();

  /** Which side's objects changed. */
  public enum Side {
    SERVICE,
    KCP
  }

  /** Is told of changes in shared types; must not block. */
  @FunctionalInterface
  public interface SharedListener {
    void changed(Side side, ResourceType type, Change change);
  }

  private record Listening(SharedListener listener) {}

  SharedWatches(Fleet fleet) {
    this.fleet = fleet;
  }

  /** All objects of the type on the service cluster. */
  public synchronized ServiceObjects onService(ResourceType type) {
    return onService.computeIfAbsent(
        type,
        _ ->
            new ServiceObjects(fleet.service(), InformerSpec.of(type), teller(Side.SERVICE, type)));
  }

  /** Every type of the service cluster that is watched here. */
  synchronized List<ServiceObjects> ofService() {
    return List.copyOf(onService.values());
  }

  /** All objects of the type in consumers' workspaces, as far as they grant it. */
  public synchronized ConsumerObjects inKcp(ResourceType type) {
    return inKcp.computeIfAbsent(type, _ -> fleet.follow(type, teller(Side.KCP, type)));
  }

  /**
   * Secrets of a namespace of the service cluster in which agents keep states; changes are told as
   * those of Secrets. Apart from {@link #onService}, so that keeping states does not take a watch
   * on everybody's Secrets.
   */
  public synchronized ServiceObjects states(String namespace) {
    return states.computeIfAbsent(
        namespace,
        _ ->
            new ServiceObjects(
                fleet.service(),
                InformerSpec.of(SECRETS)
                    .inNamespace(namespace)
                    .withLabels(SyncMarks.OBJECT_STATE + "=true"),
                teller(Side.SERVICE, SECRETS)));
  }

  /** Until the answer is closed; not of what is there already. */
  public Subscription listen(SharedListener listener) {
    var listening = new Listening(listener);
    listeners.add(listening);
    return () -> listeners.remove(listening);
  }

  /** Ends being told. */
  @FunctionalInterface
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  private ChangeListener teller(Side side, ResourceType type) {
    return change -> listeners.forEach(l -> l.listener().changed(side, type, change));
  }

  @Override
  public synchronized void close() {
    onService.values().forEach(ServiceObjects::close);
    states.values().forEach(ServiceObjects::close);
    inKcp.values().forEach(ConsumerObjects::close);
  }
}
