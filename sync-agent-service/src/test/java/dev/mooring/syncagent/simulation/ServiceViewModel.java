package dev.mooring.syncagent.simulation;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.syncagent.clusters.ServiceView;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A type on the modelled service cluster as a watch that lags behind shows it. */
public final class ServiceViewModel implements ServiceView {
  private final LaggingCache cache;
  private final BiFunction<String, KubeObject, ? extends Collection<String>> index;
  private final UnaryOperator<KubeObject> kept;
  private int lookups;

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
    this.index = (_, object) -> List.of(index.apply(object));
    this.kept = UnaryOperator.identity();
  }

  /** As a watch of this kind would show it. */
  public ServiceViewModel(ServerModel server, InformerSpec spec) {
    this.cache = new LaggingCache(server, spec.type(), object -> isSelected(spec, object));
    this.index = (name, object) -> spec.indexes().get(name).apply(object);
    this.kept = spec.kept();
  }

  /** One equality, or one key that has to be there. */
  private static boolean isSelected(InformerSpec spec, KubeObject object) {
    String[] label = spec.query().labelSelector().split("=", 2);
    return (spec.query().namespace().isEmpty()
            || spec.query().namespace().equals(object.namespace()))
        && (label[0].isEmpty()
            || object.labels().containsKey(label[0])
                && (label.length == 1 || label[1].equals(object.labels().get(label[0]))));
  }

  public LaggingCache cache() {
    return cache;
  }

  @Override
  public Optional<KubeObject> find(String namespace, String name) {
    return inNamespace(namespace).stream().filter(o -> o.name().equals(name)).findFirst();
  }

  /** How often an index was read. */
  public int lookups() {
    return lookups;
  }

  @Override
  public List<KubeObject> indexed(String name, String value) {
    lookups++;
    return shown().filter(o -> index.apply(name, o).contains(value)).toList();
  }

  @Override
  public List<KubeObject> inNamespace(String namespace) {
    return shown().filter(o -> o.namespace().equals(namespace)).toList();
  }

  private Stream<KubeObject> shown() {
    return cache.all().values().stream().map(kept);
  }

  @Override
  public Optional<KubeFailure> lastFailure() {
    return Optional.empty();
  }

  @Override
  public boolean isSynced() {
    return cache.isListed();
  }
}
