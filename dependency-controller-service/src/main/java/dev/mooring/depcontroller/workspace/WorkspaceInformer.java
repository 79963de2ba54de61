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
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What one workspace has of one type: listed once and then watched. What is held stays while the
 * workspace does not say anything any more, so whoever takes something for absent asks for {@link
 * #doubt} first. Thread-safe.
 */
final class WorkspaceInformer implements AutoCloseable {
  /** A workspace has one object of a name: of the types that are followed, none has namespaces. */
  private static final String BY_NAME = "name";

  /**
   * Without asking more often than watches are opened anyway: there may be thousands of them. What
   * nobody was heard of for so long may have changed.
   */
  private static final Duration MAX_STALENESS = Duration.ofMinutes(5);

  private final Informer informer;
  private final Told told;
  private final Duration silenceMax;
  private final InstantSource clock;

  private WorkspaceInformer(
      Informer informer, Told told, Duration silenceMax, InstantSource clock) {
    this.informer = informer;
    this.told = told;
    this.silenceMax = silenceMax;
    this.clock = clock;
  }

  /**
   * @param what of a type without namespaces
   * @param each is told of every change
   * @param known is called when the list is there, and when there is no more doubt after somebody
   *     was told of one
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
      Duration silenceMax) {
    var told = new Told(each, known);
    InformerTiming timing = InformerTiming.system();
    Informer informer =
        Informer.start(
            workspace,
            what.indexedBy(BY_NAME, object -> List.of(object.name())).maxStaleness(silenceMax),
            told,
            timing);
    informer.synced().thenRun(known);
    return new WorkspaceInformer(informer, told, silenceMax, timing.clock());
  }

  /** Whether it was ever listed. */
  boolean isListed() {
    return informer.isSynced();
  }

  /** What is held. */
  int size() {
    return informer.cache().size();
  }

  Collection<KubeObject> all() {
    return informer.cache().all();
  }

  /** Empty if it is not held. */
  Optional<KubeObject> find(String name) {
    return informer.cache().indexed(BY_NAME, name).stream().findFirst();
  }

  /** What keeps anybody from knowing what is there now; empty if it is heard. */
  Optional<KubeFailure> doubt() {
    if (unheard().isPresent()) {
      // In this order: one that is heard again from now on sees it.
      told.doubt = true;
    }
    return unheard();
  }

  private Optional<KubeFailure> unheard() {
    return informer.lastFailure().or(this::staleness);
  }

  /** Of a server that answers, and then says nothing of what happens. */
  private Optional<KubeFailure> staleness() {
    return informer
        .status()
        .lastContact()
        .filter(at -> at.plus(silenceMax).isBefore(clock.instant()))
        .map(_ ->
            new KubeFailure(
                KubeFailure.Kind.UNAVAILABLE,
                0,
                "",
                informer.url()
                    + ": nothing was heard of "
                    + informer.spec().type().qualified()
                    + " for more than "
                    + silenceMax.toSeconds()
                    + " s",
                null,
                null));
  }

  @Override
  public void close() {
    informer.close();
  }

  private static final class Told implements ChangeListener {
    private final Consumer<Change> each;
    private final Runnable known;

    /** Whether somebody was told of a doubt since it was last heard again. */
    private volatile boolean doubt;

    private Told(Consumer<Change> each, Runnable known) {
      this.each = each;
      this.known = known;
    }

    @Override
    public void changed(Change change) {
      each.accept(change);
    }

    @Override
    public void resumed() {
      if (doubt) {
        doubt = false;
        known.run();
      }
    }
  }
}
