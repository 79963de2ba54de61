package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.Waiting;
import dev.mooring.benchmarks.common.Workspace;
import dev.mooring.benchmarks.sync.Stage.Parcel;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/** One side's parcels by id, watched: the consumers' own, or their copies. Thread-safe. */
final class Observed implements AutoCloseable {
  private final ConcurrentHashMap<String, KubeObject> present = new ConcurrentHashMap<>();
  private final CopyOnWriteArrayList<Goal> goals = new CopyOnWriteArrayList<>();
  private final List<Informer> informers = new ArrayList<>();

  private Observed() {}

  static Observed sources(Stage stage) {
    var observed = new Observed();
    for (Workspace consumer : stage.consumers()) {
      observed.watch(consumer.client(), source -> new Parcel(consumer, source.name()).id());
    }
    observed.awaitSynced();
    return observed;
  }

  static Observed copies(Stage stage) {
    var observed = new Observed();
    observed.watch(stage.service(), copy -> copy.namespace() + "/" + copy.name());
    observed.awaitSynced();
    return observed;
  }

  /** A state that several objects are to reach, and when each did. */
  static final class Goal {
    private final Set<String> missing = ConcurrentHashMap.newKeySet();
    private final Predicate<Optional<KubeObject>> state;
    private final Map<String, Long> times = new ConcurrentHashMap<>();
    private final CountDownLatch reached = new CountDownLatch(1);

    private Goal(List<Parcel> parcels, Predicate<Optional<KubeObject>> state) {
      parcels.forEach(parcel -> missing.add(parcel.id()));
      this.state = state;
    }

    private void look(String id, Optional<KubeObject> object) {
      if (missing.contains(id) && state.test(object)) {
        // First the time: a reader that sees nothing missing finds all times.
        times.putIfAbsent(id, System.nanoTime());
        missing.remove(id);
        if (missing.isEmpty()) {
          reached.countDown();
        }
      }
    }

    /** Throws {@link HarnessFailure} if not all reach it. */
    void await(String what) {
      try {
        if (!reached.await(Waiting.MAX.toMinutes(), TimeUnit.MINUTES)) {
          throw new HarnessFailure(
              "After %s %d objects are not %s: %s"
                  .formatted(
                      Waiting.MAX, missing.size(), what, missing.stream().limit(3).toList()));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new HarnessFailure("Interrupted", e);
      }
    }

    /** The nanoTime at which one reached it. */
    long timeOf(Parcel parcel) {
      return Objects.requireNonNull(times.get(parcel.id()), parcel.id());
    }

    /** The nanoTime at which the last one reached it. */
    long end() {
      return times.values().stream().mapToLong(Long::longValue).max().orElseThrow();
    }
  }

  /** That each of these reaches a state; an object that is gone is empty. */
  Goal expect(List<Parcel> parcels, Predicate<Optional<KubeObject>> reached) {
    var goal = new Goal(parcels, reached);
    goals.removeIf(earlier -> earlier.missing.isEmpty());
    goals.add(goal);
    parcels.forEach(parcel -> goal.look(parcel.id(), find(parcel)));
    return goal;
  }

  /** Resource versions by id. */
  TreeMap<String, String> versions() {
    var versions = new TreeMap<String, String>();
    present.forEach((id, object) -> versions.put(id, object.resourceVersion()));
    return versions;
  }

  Optional<KubeObject> find(Parcel parcel) {
    return Optional.ofNullable(present.get(parcel.id()));
  }

  @Override
  public void close() {
    informers.forEach(Informer::close);
  }

  private void watch(KubeClient client, Function<KubeObject, String> id) {
    informers.add(
        Informer.start(client, InformerSpec.of(Types.PARCELS), change -> changed(id, change)));
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
