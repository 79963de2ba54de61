package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.request.LogicalClusterResolver;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.shard.LocalOrReplica;
import dev.mooring.sandbox.kcp.workspace.decide.ClusterReference;
import dev.mooring.sandbox.kcp.workspace.decide.LogicalClusterPlanner;
import dev.mooring.sandbox.kcp.workspace.decide.TypeReference;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds logical clusters by name and path. A path is walked from workspace to workspace on every
 * call, as far as this shard has them. Thread-safe.
 *
 * @param objects of this shard
 * @param shared of all shards
 * @param canonical the logical clusters of all shards by canonical path, for paths that begin on
 *     another shard
 */
public record LogicalClusters(
    LoopbackClient objects,
    LocalOrReplica shared,
    Function<String, Optional<LogicalCluster>> canonical)
    implements LogicalClusterResolver {
  private static final ResourceType WORKSPACES =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");

  /** The start of the paths of users' home workspaces, which no logical cluster has for a name. */
  static final String HOME = "user";

  /**
   * A name is not checked: only users with access may learn whether the cluster exists. A path that
   * ends on another shard leads nowhere.
   */
  @Override
  public LogicalCluster resolve(String segment) {
    return switch (ClusterReference.parse(segment)) {
      case ClusterReference.Named(String name) -> named(name, segment);
      case ClusterReference.Walk _ when segment.equals(LogicalCluster.SYSTEM_ADMIN.name()) ->
          LogicalCluster.SYSTEM_ADMIN;
      case ClusterReference.Walk walk ->
          walk(walk)
              .filter(cluster -> object(cluster).isPresent())
              .orElseThrow(() -> ApiFailure.notFound(WORKSPACES, segment));
      case ClusterReference.Wildcard ignored -> throw malformed(segment);
      case ClusterReference.Malformed ignored -> throw malformed(segment);
    };
  }

  @Override
  public boolean isInactive(LogicalCluster cluster) {
    return object(cluster)
        .map(StoredObject::object)
        .filter(LogicalClusterPlanner::isInactive)
        .isPresent();
  }

  /**
   * Like {@link #resolve}, for paths inside objects, which may lead to another shard; empty for a
   * path that leads nowhere.
   */
  public Optional<LogicalCluster> find(String path) {
    return switch (ClusterReference.parse(path)) {
      case ClusterReference.Named(String name) ->
          LogicalCluster.parse(name).filter(cluster -> shared(cluster).isPresent());
      case ClusterReference.Walk walk -> walk(walk).or(() -> canonical.apply(path));
      case ClusterReference.Wildcard ignored -> Optional.empty();
      case ClusterReference.Malformed ignored -> Optional.empty();
    };
  }

  @Override
  public boolean isUnavailable(String segment) {
    return ClusterReference.parse(segment) instanceof ClusterReference.Walk walk
        && steps(walk).unavailable();
  }

  private Optional<LogicalCluster> walk(ClusterReference.Walk walk) {
    return steps(walk).cluster();
  }

  /**
   * Where a path ends.
   *
   * @param cluster empty if it leads nowhere, or away from the server
   * @param unavailable whether a workspace on the way is
   */
  private record Steps(Optional<LogicalCluster> cluster, boolean unavailable) {}

  private Steps steps(ClusterReference.Walk walk) {
    Optional<LogicalCluster> here = LogicalCluster.parse(walk.start());
    List<String> children = walk.children();
    if (walk.start().equals(HOME)) {
      here =
          LogicalCluster.parse(KcpHashes.home(children.getFirst()))
              .filter(home -> object(home).isPresent());
      children = children.subList(1, children.size());
    }
    boolean unavailable = false;
    for (int i = 0; i < children.size() && here.isPresent(); i++) {
      Optional<KubeObject> workspace =
          objects
              .get(KcpResources.WORKSPACES, here.get(), children.get(i))
              .map(StoredObject::object);
      here = workspace.map(it -> it.text("spec", "cluster")).flatMap(LogicalCluster::parse);
      unavailable |=
          workspace.filter(it -> it.text("status", "phase").equals("Unavailable")).isPresent();
    }
    return new Steps(here, here.isPresent() && unavailable);
  }

  /** The LogicalCluster object; empty if there is no such cluster on this shard. */
  public Optional<StoredObject> object(LogicalCluster cluster) {
    return objects.get(KcpResources.LOGICAL_CLUSTERS, cluster, KcpNames.CLUSTER_OBJECT);
  }

  private Optional<StoredObject> shared(LogicalCluster cluster) {
    return shared.get(KcpResources.LOGICAL_CLUSTERS, cluster, KcpNames.CLUSTER_OBJECT);
  }

  /** The WorkspaceType object; empty if its path leads nowhere or holds no such type. */
  public Optional<KubeObject> workspaceType(TypeReference reference) {
    return find(reference.path())
        .flatMap(cluster -> shared.get(KcpResources.WORKSPACE_TYPES, cluster, reference.name()))
        .map(StoredObject::object);
  }

  /** The canonical path; the name itself for a cluster that has none. */
  public WorkspacePath path(LogicalCluster cluster) {
    return shared(cluster)
        .map(StoredObject::object)
        .flatMap(LogicalClusters::path)
        .orElseGet(() -> new WorkspacePath(cluster.name()));
  }

  private static Optional<WorkspacePath> path(KubeObject cluster) {
    return cluster.annotation(KcpNames.PATH).map(WorkspacePath::new);
  }

  private static LogicalCluster named(String name, String segment) {
    return LogicalCluster.parse(name).orElseThrow(() -> malformed(segment));
  }

  private static ApiFailure malformed(String segment) {
    return ApiFailure.badRequest("invalid cluster: \"" + segment + "\" does not match the regex");
  }
}
