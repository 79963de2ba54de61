package dev.mooring.sandbox.security.user;

import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who sends a request, as the authenticators and impersonation say.
 *
 * @param uid empty where unknown
 * @param groups in the order in which they were added; no duplicates are expected
 * @param extra such as scopes and warrants
 */
public record UserInfo(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  public static final String ANONYMOUS = "system:anonymous";
  public static final String AUTHENTICATED = "system:authenticated";
  public static final String UNAUTHENTICATED = "system:unauthenticated";
  public static final String MASTERS = "system:masters";

  /** Members may everything in every workspace of kcp that RBAC can grant. */
  public static final String KCP_ADMINS = "system:kcp:admin";

  /** The server itself, acting through its controllers. */
  public static final UserInfo SYSTEM = of("system:apiserver", MASTERS, AUTHENTICATED);

  public UserInfo {
    groups = List.copyOf(groups);
    var copy = new LinkedHashMap<String, List<String>>();
    extra.forEach((key, values) -> copy.put(key, List.copyOf(values)));
    extra = java.util.Collections.unmodifiableMap(copy);
  }

  public static UserInfo of(String name, String... groups) {
    return new UserInfo(name, "", List.of(groups), Map.of());
  }

  /** A client without credentials. */
  public static UserInfo anonymous() {
    return of(ANONYMOUS, UNAUTHENTICATED);
  }

  /** The same user, in {@code system:authenticated} as well. */
  public UserInfo authenticated() {
    if (groups.contains(AUTHENTICATED)) {
      return this;
    }
    var all = new ArrayList<>(groups);
    all.add(AUTHENTICATED);
    return new UserInfo(name, uid, all, extra);
  }

  /** As {@code authentication.k8s.io/v1} UserInfo: empty parts are left out. */
  public Map<String, Object> toTree() {
    return Trees.orderedNonEmpty("username", name, "uid", uid, "groups", groups, "extra", extra);
  }
}
