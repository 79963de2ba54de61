package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.decide.KcpNames;
import dev.mooring.sandbox.kcp.decide.LogicalClusterPlanner;
import dev.mooring.sandbox.kcp.decide.LogicalClusterPlanner.Content;
import dev.mooring.sandbox.kcp.decide.WorkspaceStep;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.Optional;

/**
 * Carries out what {@link LogicalClusterPlanner} says, does the work of the initializers that the
 * server itself owns, and empties a cluster that is being deleted.
 */
final class LogicalClusterReconciler {
  /** The initializer of the type that every other one extends: the default content. */
  private static final String DEFAULT_CONTENT = "root:universal";

  /** What is still to be done when nothing more can be done now. */
  enum Outcome {
    SETTLED,
    /** Content is going away; look again soon. */
    DRAINING,
    /** Somebody refuses that content goes away; look again now and then. */
    WAITING
  }

  private final SystemObjects objects;
  private final LogicalClusters clusters;
  private final DefaultContent content;
  private final DefaultBindings bindings;
  private final ClusterDrain drain;

  LogicalClusterReconciler(
      SystemObjects objects,
      LogicalClusters clusters,
      DefaultContent content,
      DefaultBindings bindings,
      ClusterDrain drain) {
    this.objects = objects;
    this.clusters = clusters;
    this.content = content;
    this.bindings = bindings;
    this.drain = drain;
  }

  Outcome reconcile(LogicalCluster cluster) {
    Optional<StoredObject> read = clusters.object(cluster);
    if (read.isEmpty()) {
      return Outcome.SETTLED;
    }
    KubeObject object = read.get().object();
    ClusterDrain.Left left = ClusterDrain.Left.GOING;
    if (object.deleting()) {
      left = drain.drain(cluster);
    } else {
      KubeObject advanced = initialize(object, cluster);
      if (!advanced.equals(object)) {
        objects.update(read.get(), advanced);
        return Outcome.SETTLED;
      }
    }
    Content seen = left == ClusterDrain.Left.NOTHING ? Content.GONE : Content.PRESENT;
    switch (LogicalClusterPlanner.next(object, seen, objects.now())) {
      case WorkspaceStep.Update(KubeObject after) -> objects.update(read.get(), after);
      case WorkspaceStep.UpdateStatus(KubeObject after) -> objects.update(read.get(), after);
      case WorkspaceStep.CreateCluster ignored -> {}
      case WorkspaceStep.DeleteCluster ignored -> {}
      case WorkspaceStep.ChooseAgain ignored -> {}
      case WorkspaceStep.Await ignored -> {}
    }
    if (!object.deleting()) {
      return Outcome.SETTLED;
    }
    return left == ClusterDrain.Left.REFUSED ? Outcome.WAITING : Outcome.DRAINING;
  }

  /** Works on the first initializer that is ours; the object without it once its work is done. */
  private KubeObject initialize(KubeObject object, LogicalCluster cluster) {
    // Watchers first see which initializers there are, in a condition.
    if (!object.text("status", "phase").equals("Initializing")
        || object.list("status", "conditions").isEmpty()) {
      return object;
    }
    for (Object item : object.list("status", "initializers")) {
      String initializer = Trees.textOrEmpty(item);
      if (initializer.equals(DEFAULT_CONTENT)) {
        content.ensure(object, cluster);
        return LogicalClusterPlanner.withoutInitializer(object, initializer);
      }
      if (initializer.equals(KcpNames.BINDINGS_INITIALIZER) && bindings.ensure(object, cluster)) {
        return LogicalClusterPlanner.withoutInitializer(object, initializer);
      }
    }
    return object;
  }
}
