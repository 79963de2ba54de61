package dev.mooring.depcontroller.workspace;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.runtime.watch.InformerTiming;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The objects of one type in one workspace, from an informer. Objects stay cached while no events
 * arrive, so a caller checks {@link #readFailure} before it treats one as absent. Thread-safe.
 */
record WorkspaceInformer(
    Informer informer, Listener listener, Duration maxStaleness, InstantSource clock)
    implements AutoCloseable {
  /**
   * The age of the last event from which objects count as stale. The interval of reopened watches,
   * so that thousands of workspaces cause no requests of their own.
   */
  private static final Duration MAX_STALENESS = Duration.ofMinutes(5);

  /**
   * @param what of a type without namespaces
   * @param each receives every change
   * @param known runs after the first list, and once a failure that was reported is over
   */
  static WorkspaceInformer start(
      KubeClient workspace, InformerSpec what, Consumer<Change> each, Runnable known) {
    return start(workspace, what, each, known, MAX_STALENESS);
  }

  static WorkspaceInformer start(
      KubeClient workspace,
      InformerSpec what,
      Consumer<Change> each,
      Runnable known,
      Duration maxStaleness) {
    var listener = new Listener(each, known);
    InformerTiming timing = InformerTiming.system();
    Informer informer =
        Informer.start(workspace, what.maxStaleness(maxStaleness), listener, timing);
    informer.synced().thenRun(known);
    return new WorkspaceInformer(informer, listener, maxStaleness, timing.clock());
  }

  /** Whether the first list is complete. */
  boolean isListed() {
    return informer.isSynced();
  }

  int size() {
    return informer.cache().size();
  }

  Collection<KubeObject> all() {
    return informer.cache().all();
  }

  /** Empty if it is not cached. */
  Optional<KubeObject> find(String name) {
    return informer.cache().find("", name);
  }

  /** Why the cache may be stale; empty while events arrive. */
  Optional<KubeFailure> readFailure() {
    if (failure().isPresent()) {
      // Set first: a watch that resumes from now on sees it.
      listener.reported = true;
    }
    return failure();
  }

  private Optional<KubeFailure> failure() {
    return informer.lastFailure().or(this::stale);
  }

  /** A server may answer requests, and send no events. */
  private Optional<KubeFailure> stale() {
    return informer
        .lastContact()
        .filter(at -> at.plus(maxStaleness).isBefore(clock.instant()))
        .map(_ ->
            KubeFailure.unavailable(
                "%s: no event or bookmark of %s arrived for more than %d s"
                    .formatted(
                        informer.url(),
                        informer.spec().type().qualified(),
                        maxStaleness.toSeconds()),
                null));
  }

  @Override
  public void close() {
    informer.close();
  }

  static final class Listener implements ChangeListener {
    private final Consumer<Change> each;
    private final Runnable known;

    /** Whether a caller received a failure since events last arrived. */
    private volatile boolean reported;

    private Listener(Consumer<Change> each, Runnable known) {
      this.each = each;
      this.known = known;
    }

    @Override
    public void changed(Change change) {
      each.accept(change);
    }

    @Override
    public void resumed() {
      if (reported) {
        reported = false;
        known.run();
      }
    }
  }
}
