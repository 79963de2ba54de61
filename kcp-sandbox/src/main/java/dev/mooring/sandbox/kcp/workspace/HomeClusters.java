package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kcp.workspace.decide.LogicalClusterPlanner;
import dev.mooring.sandbox.kcp.workspace.decide.TypeReference;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceTypes;
import dev.mooring.sandbox.security.authorization.AccessDenied;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;

/**
 * Logical clusters without a parent, one for each user: {@code user:<name>}. Each has a name that
 * follows from the user's, and is made by a request of the user who may {@code create} the
 * workspace {@code ~} in root. After kcp's pkg/server/home_workspaces.go.
 */
public record HomeClusters(
    LoopbackClient objects,
    LogicalClusters clusters,
    WorkspaceTypes types,
    ServerUrls urls,
    Authorizer authorizer) {
  private static final TypeReference TYPE = new TypeReference("root", "home");
  private static final ResourceType WORKSPACES =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");
  private static final AuthorizationAttributes.Resource OWN =
      new AuthorizationAttributes.Resource("tenancy.kcp.io", "*", "workspaces", "", "", "~");

  /**
   * The Workspace; empty while it is made, which begins when a user asks for the first time.
   *
   * @throws ApiFailure if the user may not have one
   */
  public Optional<KubeObject> of(UserInfo user) {
    var cluster = new LogicalCluster(KcpHashes.home(user.name()));
    Optional<KubeObject> object = clusters.object(cluster).map(StoredObject::object);
    if (object.isEmpty()) {
      create(cluster, user);
    }
    return object
        .filter(found -> !found.text("status", "phase").equals("Initializing"))
        .map(found -> workspace(found, cluster));
  }

  private void create(LogicalCluster cluster, UserInfo user) {
    var attributes =
        new AuthorizationAttributes(user, Optional.of(KcpResources.ROOT), "create", OWN);
    if (!authorizer.authorize(attributes).allowed()) {
      throw AccessDenied.failure(attributes, new Decision.Denied("workspace access not permitted"));
    }
    List<KubeObject> extended = types.withExtended(types.find(TYPE).orElseThrow()).orThrow();
    objects.ensure(
        KcpResources.LOGICAL_CLUSTERS,
        cluster,
        LogicalClusterPlanner.forUser(
            user.toTree(),
            urls.shard(),
            path(cluster, user),
            TYPE,
            extended,
            urls.cluster(cluster)));
  }

  /** By name for a user whose name cannot be part of a path. */
  private static WorkspacePath path(LogicalCluster cluster, UserInfo user) {
    try {
      return new WorkspacePath(LogicalClusters.HOME).child(user.name());
    } catch (IllegalArgumentException unusual) {
      return new WorkspacePath(cluster.name());
    }
  }

  /** What a Workspace of the cluster would say. */
  private static KubeObject workspace(KubeObject cluster, LogicalCluster name) {
    KubeObject workspace =
        KubeObject.of(WORKSPACES, "Workspace", "", KcpNames.CLUSTER_OBJECT)
            .with(cluster.text("metadata", "creationTimestamp"), "metadata", "creationTimestamp")
            .with(name.name(), "spec", "cluster")
            .with(cluster.text("status", "URL"), "spec", "URL")
            .with(cluster.text("status", "phase"), "status", "phase");
    List<Object> conditions = cluster.list("status", "conditions");
    return conditions.isEmpty() ? workspace : workspace.with(conditions, "status", "conditions");
  }
}
