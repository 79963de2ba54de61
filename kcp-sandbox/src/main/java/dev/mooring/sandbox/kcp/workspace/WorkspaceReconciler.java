package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.controller.SystemObjects;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kcp.workspace.decide.LogicalClusterPlanner;
import dev.mooring.sandbox.kcp.workspace.decide.TypeReference;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspacePlanner;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceStep;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceTypes;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Executes the steps of {@link WorkspacePlanner}, one write at a time. */
public record WorkspaceReconciler(
    SystemObjects objects,
    LogicalClusters clusters,
    WorkspaceTypes types,
    ServerUrls urls,
    Supplier<String> clusterNames)
    implements Reconciler<ObjectKey> {
  private static final Next SETTLED = new Next.OnEvent();

  @Override
  public Next reconcile(ObjectKey key) {
    Optional<StoredObject> read = objects.get(KcpResources.WORKSPACES, key.cluster(), key.name());
    if (read.isEmpty() || read.get().object().at("spec", "mount") != null) {
      return SETTLED;
    }
    KubeObject workspace = read.get().object();
    WorkspacePath path = clusters.path(key.cluster()).child(key.name());
    Optional<StoredObject> cluster = chosen(workspace).flatMap(clusters::object);
    String candidate = clusterNames.get();
    String shard =
        urls.shards().of(chosen(workspace).orElseGet(() -> new LogicalCluster(candidate)));
    WorkspaceStep step =
        WorkspacePlanner.next(
            new WorkspacePlanner.Facts(
                workspace,
                cluster.map(StoredObject::object),
                urls.workspace(path),
                shard,
                KcpHashes.shard(shard),
                candidate,
                objects.now()));
    switch (step) {
      case WorkspaceStep.Update(KubeObject after) -> objects.update(read.get(), after);
      case WorkspaceStep.ChooseAgain(KubeObject after) -> objects.update(read.get(), after);
      case WorkspaceStep.CreateCluster(KubeObject of) -> create(of, key.cluster(), path);
      case WorkspaceStep.DeleteCluster ignored -> objects.delete(cluster.orElseThrow());
      case WorkspaceStep.Await ignored -> {}
    }
    return SETTLED;
  }

  private void create(KubeObject workspace, LogicalCluster parent, WorkspacePath path) {
    LogicalCluster cluster = chosen(workspace).orElseThrow();
    TypeReference type = TypeReference.of(workspace.map("spec", "type"));
    List<KubeObject> types = typesOf(type, clusters.path(parent));
    objects.create(
        KcpResources.LOGICAL_CLUSTERS,
        cluster,
        LogicalClusterPlanner.forWorkspace(
            workspace, parent, path, type, types, urls.cluster(cluster)));
  }

  /** The type and all it extends. Throws where one of them is gone; the workspace then waits. */
  private List<KubeObject> typesOf(TypeReference reference, WorkspacePath from) {
    return types.withExtended(types.resolve(reference, from).orThrow()).orThrow();
  }

  private static Optional<LogicalCluster> chosen(KubeObject workspace) {
    return workspace.annotation(KcpNames.CHOSEN_CLUSTER).map(LogicalCluster::new);
  }
}
