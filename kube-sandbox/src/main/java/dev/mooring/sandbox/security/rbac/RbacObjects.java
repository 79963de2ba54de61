package dev.mooring.sandbox.security.rbac;

import dev.mooring.model.object.KubeObject;
import java.util.List;

/** All RBAC objects of one logical cluster, in any order. */
public record RbacObjects(
    List<KubeObject> clusterRoles,
    List<KubeObject> clusterRoleBindings,
    List<KubeObject> roles,
    List<KubeObject> roleBindings) {
  public RbacObjects {
    clusterRoles = List.copyOf(clusterRoles);
    clusterRoleBindings = List.copyOf(clusterRoleBindings);
    roles = List.copyOf(roles);
    roleBindings = List.copyOf(roleBindings);
  }
}
