package dev.mooring.sandbox.security.admin;

import dev.mooring.sandbox.security.user.UserInfo;
import java.util.List;
import java.util.Map;

/** The users of the admin kubeconfig, by token. */
public final class AdminUsers {
  /** Members may everything in every workspace that RBAC can grant. */
  public static final String KCP_ADMIN_GROUP = "system:kcp:admin";

  private AdminUsers() {}

  /** {@code kcp-admin} and {@code shard-admin}. */
  public static Map<String, UserInfo> kcp(AdminTokens tokens) {
    return Map.of(
        tokens.admin(), user(Kubeconfigs.KCP_ADMIN, KCP_ADMIN_GROUP),
        tokens.shardAdmin(), user(Kubeconfigs.SHARD_ADMIN, UserInfo.MASTERS));
  }

  public static Map<String, UserInfo> kubernetes(AdminTokens tokens) {
    return Map.of(tokens.admin(), user(Kubeconfigs.KUBERNETES_ADMIN, UserInfo.MASTERS));
  }

  /** Their UID is the same at every start, unlike in kcp: nothing is gained by another one. */
  private static UserInfo user(String name, String group) {
    return new UserInfo(
        name, "00000000-0000-4000-8000-" + uidSuffix(name), List.of(group), Map.of());
  }

  private static String uidSuffix(String name) {
    return "%012x".formatted(Integer.toUnsignedLong(name.hashCode()));
  }
}
