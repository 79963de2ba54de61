package dev.mooring.sandbox.security.user;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * A user as the RBAC of an APIExport's workspace names the users of its consumers, for maximal
 * permission policies: every name and group gets a prefix, those of warrants too.
 */
public final class PrefixedUser {
  /** Before users and groups of consumers. */
  public static final String BINDING = "apis.kcp.io:binding:";

  private PrefixedUser() {}

  public static UserInfo of(String prefix, UserInfo user) {
    boolean account = EffectiveUsers.isServiceAccount(user);
    if (account && user.extra().getOrDefault(EffectiveUsers.CLUSTER_NAME, List.of()).size() != 1) {
      // A service account of no cluster must not pass for one of any.
      boolean authenticated = user.groups().contains(UserInfo.AUTHENTICATED);
      return UserInfo.of(
          prefix + UserInfo.ANONYMOUS,
          prefix + (authenticated ? UserInfo.AUTHENTICATED : UserInfo.UNAUTHENTICATED));
    }
    var extra = new LinkedHashMap<>(user.extra());
    List<String> warrants = extra.remove(EffectiveUsers.WARRANT);
    if (warrants != null) {
      var prefixed = new ArrayList<String>();
      for (String warrant : warrants) {
        UserInfo warranted = EffectiveUsers.parse(warrant);
        if (!warranted.name().isEmpty()) {
          prefixed.add(json(of(prefix, warranted)));
        }
      }
      extra.put(EffectiveUsers.WARRANT, prefixed);
    }
    return new UserInfo(
        name(prefix, user),
        user.uid(),
        user.groups().stream().map(group -> prefix + group).toList(),
        extra);
  }

  private static String name(String prefix, UserInfo user) {
    if (!EffectiveUsers.isServiceAccount(user)) {
      return prefix + user.name();
    }
    List<String> home = user.extra().getOrDefault(EffectiveUsers.CLUSTER_NAME, List.of());
    return prefix + EffectiveUsers.globalName(user, home.getFirst());
  }

  private static String json(UserInfo user) {
    return KubeJson.writeText(
        Trees.ordered("user", user.name(), "groups", user.groups(), "extra", user.extra()));
  }
}
