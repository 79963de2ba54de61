package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Optional;

/**
 * Checks rights on referenced objects, in workspaces that the user need not be able to enter.
 *
 * @param rights without the check that the user may enter the workspace
 */
public record ReferencePermission(Authorizer rights) {
  public boolean mayBind(UserInfo user, LogicalCluster cluster, String export) {
    return may(user, "bind", cluster, "apis.kcp.io", "apiexports", export);
  }

  boolean mayUseType(UserInfo user, LogicalCluster cluster, String type) {
    return may(user, "use", cluster, "tenancy.kcp.io", "workspacetypes", type);
  }

  private boolean may(
      UserInfo user,
      String verb,
      LogicalCluster cluster,
      String group,
      String resource,
      String name) {
    var target = new AuthorizationAttributes.Resource(group, "*", resource, "", "", name);
    return rights
        .authorize(new AuthorizationAttributes(user, Optional.of(cluster), verb, target))
        .allowed();
  }
}
