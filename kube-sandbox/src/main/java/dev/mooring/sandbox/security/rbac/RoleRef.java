package dev.mooring.sandbox.security.rbac;

import dev.mooring.model.object.KubeObject;

/**
 * The role a binding grants.
 *
 * @param kind {@code ClusterRole} or {@code Role}
 */
public record RoleRef(String kind, String name) {
  public static RoleRef of(KubeObject binding) {
    return new RoleRef(binding.text("roleRef", "kind"), binding.text("roleRef", "name"));
  }
}
