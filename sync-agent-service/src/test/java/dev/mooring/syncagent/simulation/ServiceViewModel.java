package dev.mooring.syncagent.simulation;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.fleet.ServiceView;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** A type on the modelled service cluster as a watch that lags behind shows it. */
public final class ServiceViewModel implements ServiceView {
  private final LaggingCache cache;
  private final Function<KubeObject, String> index;

  /**
   * @param selected what the watch's selectors let through
   * @param index gives the one value under which an object is found, whatever the index's name
   */
  public ServiceViewModel(
      ServerModel server,
      ResourceType type,
      Predicate<KubeObject> selected,
      Function<KubeObject, String> index) {
    this.cache = new LaggingCache(server, type, selected);
    this.index = index;
  }

  public LaggingCache cache() {
    return cache;
  }

  @Override
  public Optional<KubeObject> find(String namespace, String name) {
    return cache.all().entrySet().stream()
        .filter(entry -> entry.getKey().namespace().equals(namespace))
        .filter(entry -> entry.getKey().name().equals(name))
        .map(java.util.Map.Entry<ObjectKey, KubeObject>::getValue)
        .findFirst();
  }

  @Override
  public List<KubeObject> indexed(String name, String value) {
    return cache.all().values().stream().filter(o -> index.apply(o).equals(value)).toList();
  }

  @Override
  public boolean isSynced() {
    return true;
  }
}
