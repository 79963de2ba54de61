package dev.mooring.sandbox.security.rbac;

import dev.mooring.model.object.KubeObject;
import java.util.Objects;

/**
 * The role a binding grants.
 *
 * @param kind {@code ClusterRole} or {@code Role}
 */
public record RoleRef(String kind, String name) {
  public RoleRef {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(name, "name");
  }

  public static RoleRef of(KubeObject binding) {
    return new RoleRef(binding.text("roleRef", "kind"), binding.text("roleRef", "name"));
  }
}
