package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.controller.SystemObjects;
import dev.mooring.sandbox.kcp.workspace.decide.LogicalClusterPlanner;
import dev.mooring.sandbox.kcp.workspace.decide.LogicalClusterPlanner.Content;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceStep;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Executes the steps of {@link LogicalClusterPlanner}, runs the initializers that the server owns,
 * and drains a cluster that is being deleted.
 */
public final class LogicalClusterReconciler implements Reconciler<LogicalCluster> {
  /** Does the work of one initializer in a new logical cluster. */
  @FunctionalInterface
  public interface Initializer {
    /** Creates what is missing; true once all of it is there. Called again until then. */
    boolean ensure(KubeObject logicalCluster, LogicalCluster cluster);
  }

  private static final Next SETTLED = new Next.OnEvent();

  /** The content's deletions are not watched. */
  private static final Next DRAINING = new Next.After(Duration.ofMillis(100));

  /** Admission denies the deletion of some content, until a person changes that. */
  private static final Next DENIED = new Next.After(Duration.ofMillis(500));

  private final SystemObjects objects;
  private final LogicalClusters clusters;
  private final Map<String, Initializer> initializers;
  private final ClusterDrain drain;

  /**
   * @param initializers that the server runs itself, by name
   */
  public LogicalClusterReconciler(
      SystemObjects objects,
      LogicalClusters clusters,
      Map<String, Initializer> initializers,
      ClusterDrain drain) {
    this.objects = objects;
    this.clusters = clusters;
    this.initializers = Map.copyOf(initializers);
    this.drain = drain;
  }

  @Override
  public Next reconcile(LogicalCluster cluster) {
    Optional<StoredObject> read = clusters.object(cluster);
    if (read.isEmpty()) {
      return SETTLED;
    }
    KubeObject object = read.get().object();
    ClusterDrain.Remaining remaining = ClusterDrain.Remaining.TERMINATING;
    if (object.deleting()) {
      remaining = drain.drain(cluster);
    } else {
      KubeObject advanced = initialize(object, cluster);
      if (!advanced.equals(object)) {
        objects.update(read.get(), advanced);
        return SETTLED;
      }
    }
    Content content = remaining == ClusterDrain.Remaining.NONE ? Content.GONE : Content.PRESENT;
    switch (LogicalClusterPlanner.next(object, content, objects.now())) {
      case WorkspaceStep.Update(KubeObject after) -> objects.update(read.get(), after);
      case WorkspaceStep.CreateCluster _,
          WorkspaceStep.DeleteCluster _,
          WorkspaceStep.ChooseAgain _,
          WorkspaceStep.Await _ -> {}
    }
    if (!object.deleting()) {
      return SETTLED;
    }
    return remaining == ClusterDrain.Remaining.DENIED ? DENIED : DRAINING;
  }

  /**
   * Runs the first initializer that the server owns; the object without it once that is complete.
   */
  private KubeObject initialize(KubeObject object, LogicalCluster cluster) {
    // Watchers first see which initializers there are, in a condition.
    if (!object.text("status", "phase").equals("Initializing")
        || object.list("status", "conditions").isEmpty()) {
      return object;
    }
    for (Object item : object.list("status", "initializers")) {
      String initializer = Trees.textOrEmpty(item);
      Initializer own = initializers.get(initializer);
      if (own != null && own.ensure(object, cluster)) {
        return LogicalClusterPlanner.withoutInitializer(object, initializer);
      }
    }
    return object;
  }
}
