package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.shard.LocalOrReplica;
import dev.mooring.sandbox.kcp.shard.OtherShards;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kcp.workspace.decide.LogicalClusterPlanner;
import dev.mooring.sandbox.kcp.workspace.decide.ShardChoice;
import dev.mooring.sandbox.kcp.workspace.decide.TypeReference;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspacePlanner;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceStep;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceTypes;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Executes the steps of {@link WorkspacePlanner}, one write at a time. The LogicalCluster may be on
 * another shard: it is then written and read there, and read again after a while instead of
 * watched.
 */
public record WorkspaceReconciler(
    LocalOrReplica shared,
    OtherShards others,
    LogicalClusters clusters,
    WorkspaceTypes types,
    ServerUrls urls,
    Supplier<String> clusterNames)
    implements Reconciler<ObjectKey> {
  private static final Next SETTLED = new Next.OnEvent();

  /** A LogicalCluster on another shard is read again after this part of its age, as in kcp. */
  private static final int AGE_PART = 5;

  private static final Duration RECHECK_MIN = Duration.ofMillis(50);
  private static final Duration RECHECK_MAX = Duration.ofMinutes(10);

  @Override
  public Next reconcile(ObjectKey key) {
    LoopbackClient objects = shared.own();
    Optional<StoredObject> read = objects.get(KcpResources.WORKSPACES, key.cluster(), key.name());
    if (read.isEmpty()) {
      return SETTLED;
    }
    KubeObject workspace = read.get().object();
    if (workspace.at("spec", "mount") != null && !workspace.deleting()) {
      KubeObject after = WorkspacePlanner.available(workspace);
      if (!after.equals(workspace)) {
        objects.update(read.get(), after);
      }
      return SETTLED;
    }
    WorkspacePath path = clusters.path(key.cluster()).child(key.name());
    Optional<LogicalCluster> chosen = chosen(workspace);
    String candidate = clusterNames.get();
    Optional<WorkspacePlanner.Placement> shard = shard(workspace, candidate);
    // Read only once both are chosen: no shard is needed before that.
    boolean elsewhere = chosen.isPresent() && !isOwn(shard);
    LoopbackClient home = elsewhere ? others.at(shard.orElseThrow().shard()) : objects;
    Optional<StoredObject> cluster =
        chosen.flatMap(
            name -> home.get(KcpResources.LOGICAL_CLUSTERS, name, KcpNames.CLUSTER_OBJECT));
    WorkspaceStep step =
        WorkspacePlanner.next(
            new WorkspacePlanner.Facts(
                workspace,
                cluster.map(StoredObject::object),
                urls.workspace(path),
                shard,
                candidate,
                objects.now()));
    switch (step) {
      case WorkspaceStep.Update(KubeObject after) -> objects.update(read.get(), after);
      case WorkspaceStep.ChooseAgain(KubeObject after) -> objects.update(read.get(), after);
      case WorkspaceStep.CreateCluster(KubeObject of) -> create(home, of, key.cluster(), path);
      case WorkspaceStep.DeleteCluster ignored -> home.delete(cluster.orElseThrow());
      case WorkspaceStep.Await ignored -> {}
    }
    return elsewhere ? recheck(workspace, cluster, objects.now()) : SETTLED;
  }

  /** No event of another shard's LogicalCluster comes here. */
  private static Next recheck(KubeObject workspace, Optional<StoredObject> cluster, String now) {
    boolean settled = workspace.text("status", "phase").equals("Ready") && !workspace.deleting();
    if (settled) {
      return SETTLED;
    }
    Duration age =
        cluster
            .map(found -> found.object().text("metadata", "creationTimestamp"))
            .filter(created -> !created.isEmpty())
            .map(created -> Duration.between(Instant.parse(created), Instant.parse(now)))
            .orElse(Duration.ZERO);
    Duration wait = age.dividedBy(AGE_PART);
    return new Next.After(
        wait.compareTo(RECHECK_MIN) < 0
            ? RECHECK_MIN
            : wait.compareTo(RECHECK_MAX) > 0 ? RECHECK_MAX : wait);
  }

  private boolean isOwn(Optional<WorkspacePlanner.Placement> shard) {
    return shard.filter(found -> !found.shard().equals(urls.shard())).isEmpty();
  }

  /**
   * The one that was chosen, or the one to choose. A workspace is not scheduled to a shard that
   * does not exist any more, but its cluster is deleted there.
   */
  private Optional<WorkspacePlanner.Placement> shard(KubeObject workspace, String candidate) {
    Optional<String> chosen = workspace.annotation(KcpNames.SHARD);
    if (chosen.isPresent()) {
      return chosen
          .filter(name -> workspace.deleting() || isKnown(name))
          .map(name -> new WorkspacePlanner.Placement(name, KcpHashes.shard(name), ""));
    }
    List<KubeObject> shards =
        shared.list(KcpResources.SHARDS, KcpResources.ROOT).stream()
            .map(StoredObject::object)
            .toList();
    return ShardChoice.of(workspace, shards, candidate)
        .map(shard ->
            new WorkspacePlanner.Placement(
                shard.name(),
                KcpHashes.shard(shard.name()),
                shard.labels().getOrDefault("region", "")));
  }

  private boolean isKnown(String shard) {
    return shared.get(KcpResources.SHARDS, KcpResources.ROOT, shard).isPresent();
  }

  private void create(
      LoopbackClient home, KubeObject workspace, LogicalCluster parent, WorkspacePath path) {
    LogicalCluster cluster = chosen(workspace).orElseThrow();
    TypeReference type = TypeReference.of(workspace.map("spec", "type"));
    List<KubeObject> types = typesOf(type, clusters.path(parent));
    home.create(
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
