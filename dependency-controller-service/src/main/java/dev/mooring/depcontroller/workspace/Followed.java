package dev.mooring.depcontroller.workspace;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What one workspace has of one type: listed once and then watched. What is held stays while the
 * workspace does not say anything any more, so whoever takes something for absent asks for {@link
 * #doubt} first. Thread-safe.
 */
final class Followed implements AutoCloseable {
  /** A workspace has one object of a name: of the types that are followed, none has namespaces. */
  private static final String BY_NAME = "name";

  private final Informer informer;
  private final Told told;

  private Followed(Informer informer, Told told) {
    this.informer = informer;
    this.told = told;
  }

  /**
   * @param what of a type without namespaces
   * @param each is told of every change
   * @param known is called when the list is there, and when there is no more doubt after somebody
   *     was told of one
   */
  static Followed start(
      KubeClient workspace, InformerSpec what, Consumer<Change> each, Runnable known) {
    var told = new Told(each, known);
    Informer informer =
        Informer.start(workspace, what.indexedBy(BY_NAME, object -> List.of(object.name())), told);
    informer.synced().thenRun(known);
    return new Followed(informer, told);
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
    if (informer.lastFailure().isPresent()) {
      // In this order: one that is heard again from now on sees it.
      told.doubt = true;
    }
    return informer.lastFailure();
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
