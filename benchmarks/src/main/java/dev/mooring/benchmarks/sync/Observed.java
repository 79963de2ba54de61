package dev.mooring.benchmarks.sync;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One side's parcels, watched: the consumers' own, or their copies. An object is known by its
 * {@code <consumer's cluster>/<name>} on both sides. Thread-safe.
 */
final class Observed implements AutoCloseable {
  private final ConcurrentHashMap<String, KubeObject> present = new ConcurrentHashMap<>();
  private final CopyOnWriteArrayList<Goal> goals = new CopyOnWriteArrayList<>();
  private final List<Informer> informers = new ArrayList<>();

  private Observed() {}

  static Observed sources(Stage stage) {
    var observed = new Observed();
    for (Stage.Consumer consumer : stage.consumers()) {
      observed.informers.add(
          Informer.start(
              consumer.client(),
              InformerSpec.of(Types.PARCELS),
              change -> observed.changed(o -> id(consumer, o.name()), change)));
    }
    observed.awaitSynced();
    return observed;
  }

  static Observed copies(Stage stage) {
    var observed = new Observed();
    observed.informers.add(
        Informer.start(
            stage.service(),
            InformerSpec.of(Types.PARCELS),
            change -> observed.changed(o -> o.namespace() + "/" + o.name(), change)));
    observed.awaitSynced();
    return observed;
  }

  static String id(Stage.Consumer consumer, String name) {
    return consumer.cluster().name() + "/" + name;
  }

  /** That each of these reaches a state; an object that is gone is empty. */
  Goal expect(Collection<String> ids, Predicate<Optional<KubeObject>> reached) {
    var goal = new Goal(ids, reached);
    goals.add(goal);
    goal.reached.whenComplete((_, _) -> goals.remove(goal));
    ids.forEach(id -> goal.look(id, Optional.ofNullable(present.get(id))));
    return goal;
  }

  /** Resource versions by id. */
  TreeMap<String, String> versions() {
    var versions = new TreeMap<String, String>();
    present.forEach((id, object) -> versions.put(id, object.resourceVersion()));
    return versions;
  }

  Optional<KubeObject> find(String id) {
    return Optional.ofNullable(present.get(id));
  }

  @Override
  public void close() {
    informers.forEach(Informer::close);
  }

  private void awaitSynced() {
    informers.forEach(informer -> informer.awaitSynced(Duration.ofMinutes(1)));
  }

  private void changed(Function<KubeObject, String> naming, Change change) {
    switch (change) {
      case Change.Added(var _, var object) -> put(naming.apply(object), object);
      case Change.Updated(var _, var _, var object) -> put(naming.apply(object), object);
      case Change.Removed(var _, var object) -> {
        String id = naming.apply(object);
        present.remove(id);
        goals.forEach(goal -> goal.look(id, Optional.empty()));
      }
    }
  }

  private void put(String id, KubeObject object) {
    present.put(id, object);
    goals.forEach(goal -> goal.look(id, Optional.of(object)));
  }
}
