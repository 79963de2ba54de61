package dev.mooring.sandbox.kcp.virtual;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.kcp.api.KcpApis;
import dev.mooring.sandbox.kcp.workspace.LogicalClusters;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.Optional;

/**
 * What the scopes of {@link LifecycleVirtualWorkspaces} need.
 *
 * @param catalog of everything that is served
 * @param authorizer with the check that the user may enter the workspace
 */
public record LifecycleScopeParts(
    ResourceCatalog catalog, KcpApis system, LogicalClusters clusters, Authorizer authorizer) {
  static final Decision ALLOWED = new Decision.Allowed("access granted");
  static final Decision DENIED = new Decision.Denied("access denied");

  /** Whether the user has the controller's right on its WorkspaceType. */
  boolean isController(UserInfo user, LifecycleVirtualWorkspaces.Controller controller) {
    if (user.groups().contains(UserInfo.MASTERS)) {
      return true;
    }
    var type =
        new AuthorizationAttributes.Resource(
            "tenancy.kcp.io", "v1alpha1", "workspacetypes", "", "", controller.type());
    return authorizer
        .authorize(
            new AuthorizationAttributes(
                user, Optional.of(controller.cluster()), controller.lifecycle().verb(), type))
        .allowed();
  }

  Optional<KubeObject> logicalCluster(LogicalCluster cluster) {
    return clusters.object(cluster).map(StoredObject::object);
  }
}
