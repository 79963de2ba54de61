package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Lifecycle;
import dev.mooring.sandbox.kcp.workspace.decide.ClusterContent;
import dev.mooring.sandbox.kcp.workspace.decide.LogicalClusterPlanner;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceStep;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Executes the steps of {@link LogicalClusterPlanner}, runs the initializers that the server owns,
 * and drains a cluster that is being deleted.
 */
public final class LogicalClusterReconciler implements Reconciler<LogicalCluster> {
  /** Does the work of one initializer in a new logical cluster. */
  @FunctionalInterface
  public interface Initializer {
    /** Creates what is missing. Called again until all of it is there. */
    Progress ensure(KubeObject logicalCluster, LogicalCluster cluster);
  }

  /** How far an initializer has got. */
  public sealed interface Progress {
    record Complete() implements Progress {}

    /**
     * @param reported the LogicalCluster with a condition that says what is missing
     * @param next when the initializer is to be called again
     */
    record Waiting(KubeObject reported, Next next) implements Progress {}
  }

  /** What the initializer of default bindings reports while it waits. */
  public static final String BINDINGS_INITIALIZED = "APIBindingsInitialized";

  private static final Next SETTLED = new Next.OnEvent();

  /** The content's deletions are not watched. */
  private static final Next DRAINING = new Next.After(Duration.ofMillis(100));

  /** Admission denies the deletion of some content, until a person changes that. */
  private static final Next DENIED = new Next.After(Duration.ofMillis(500));

  private final LoopbackClient objects;
  private final LogicalClusters clusters;
  private final Map<String, Initializer> initializers;
  private final Function<LogicalCluster, String> urls;
  private final ClusterDrain drain;

  /**
   * @param initializers that the server runs itself, by name
   * @param urls of logical clusters, by name
   */
  public LogicalClusterReconciler(
      LoopbackClient objects,
      LogicalClusters clusters,
      Map<String, Initializer> initializers,
      Function<LogicalCluster, String> urls,
      ClusterDrain drain) {
    this.objects = objects;
    this.clusters = clusters;
    this.initializers = Map.copyOf(initializers);
    this.urls = urls;
    this.drain = drain;
  }

  @Override
  public Next reconcile(LogicalCluster cluster) {
    Optional<StoredObject> read = clusters.object(cluster);
    if (read.isEmpty()) {
      return SETTLED;
    }
    KubeObject object = read.get().object();
    KubeObject placed = object.with(urls.apply(cluster), "status", "URL");
    if (!placed.equals(object)) {
      objects.update(read.get(), placed);
      return SETTLED;
    }
    ClusterContent content = object.deleting() ? drain.drain(cluster) : ClusterContent.kept();
    switch (LogicalClusterPlanner.next(object, labels(object), content, objects.now())) {
      case WorkspaceStep.Update(KubeObject after) -> {
        objects.update(read.get(), after);
        return object.deleting() ? DRAINING : SETTLED;
      }
      case WorkspaceStep.CreateCluster _,
          WorkspaceStep.DeleteCluster _,
          WorkspaceStep.ChooseAgain _,
          WorkspaceStep.Await _ -> {}
    }
    if (object.text("status", "phase").equals("Ready")) {
      return SETTLED;
    }
    if (!object.deleting()) {
      return initialize(read.get(), cluster);
    }
    return content.refusal().isPresent() ? DENIED : DRAINING;
  }

  /** The labels by which virtual workspaces find the clusters that wait for a controller. */
  private static Map<String, String> labels(KubeObject cluster) {
    var labels = new HashMap<String, String>();
    for (Lifecycle lifecycle : Lifecycle.values()) {
      for (String controller : lifecycle.pending(cluster)) {
        String hash = KcpHashes.controller(controller);
        labels.put(lifecycle.labelKey(hash), hash);
      }
    }
    return labels;
  }

  /** Runs the first initializer that the server owns. */
  private Next initialize(StoredObject read, LogicalCluster cluster) {
    KubeObject object = read.object();
    for (String name : Lifecycle.INITIALIZING.pending(object)) {
      Initializer own = initializers.get(name);
      if (own == null) {
        continue;
      }
      switch (own.ensure(object, cluster)) {
        case Progress.Complete() -> {
          KubeObject done = LogicalClusterPlanner.withoutInitializer(object, name);
          objects.update(read, Conditions.without(done, BINDINGS_INITIALIZED));
          return SETTLED;
        }
        case Progress.Waiting(KubeObject reported, Next next) -> {
          if (!reported.equals(object)) {
            objects.update(read, reported);
          }
          return next;
        }
      }
    }
    return SETTLED;
  }
}
