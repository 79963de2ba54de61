package dev.mooring.sandbox.security.user;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * As whom a user counts in a logical cluster. Scopes confine a user to some clusters: elsewhere
 * nothing but {@code system:anonymous} in {@code system:authenticated} is left, with the group
 * {@code system:cluster:<name>} for each cluster that all scopes name. Warrants add further users,
 * confined in turn, with such groups as well. After kcp's pkg/registry/rbac/validation/kcp.go.
 */
public final class EffectiveUsers {
  /** JSON user infos whose rights are added to the user's own. */
  public static final String WARRANT = "authorization.kcp.io/warrant";

  /** {@code cluster:a,cluster:b}: values are intersected, alternatives separated by commas. */
  public static final String SCOPES = "authentication.kcp.io/scopes";

  /** Where a service account lives. */
  public static final String CLUSTER_NAME = "authentication.kcp.io/cluster-name";

  private static final String CLUSTER_SCOPE = "cluster:";
  // Warrants may hold warrants; deeper ones have no use.
  private static final int WARRANT_DEPTH_MAX = 8;

  private EffectiveUsers() {}

  public static List<UserInfo> in(LogicalCluster cluster, UserInfo user) {
    var users = new ArrayList<UserInfo>(2);
    var remainders = new TreeSet<String>();
    collect(cluster, user, 0, users, remainders);
    for (String group : remainders) {
      var groups = new ArrayList<String>(List.of(group));
      if (group.equals(UserInfo.AUTHENTICATED)) {
        groups.addAll(scopeGroups(user));
      }
      users.add(new UserInfo(UserInfo.ANONYMOUS, "", groups, Map.of()));
    }
    return List.copyOf(users);
  }

  private static void collect(
      LogicalCluster cluster,
      UserInfo user,
      int depth,
      List<UserInfo> users,
      Set<String> remainders) {
    if (inScope(cluster, user)) {
      users.add(user);
    } else {
      remainders.add(
          user.groups().contains(UserInfo.AUTHENTICATED)
              ? UserInfo.AUTHENTICATED
              : UserInfo.UNAUTHENTICATED);
    }
    home(user).ifPresent(home -> users.add(global(user, home.name())));
    if (depth < WARRANT_DEPTH_MAX) {
      for (String warrant : user.extra().getOrDefault(WARRANT, List.of())) {
        UserInfo warranted = parse(warrant);
        boolean homeless =
            isServiceAccount(warranted) && !warranted.extra().containsKey(CLUSTER_NAME);
        if (!warranted.name().isEmpty() && !homeless) {
          collect(cluster, withScopeGroups(warranted), depth + 1, users, remainders);
        }
      }
    }
  }

  /** Whether the user counts as itself in the cluster. */
  public static boolean inScope(LogicalCluster cluster, UserInfo user) {
    if (isServiceAccount(user)) {
      List<String> home = user.extra().getOrDefault(CLUSTER_NAME, List.of());
      // One without a home is local: think of an access review that names it.
      if (!home.isEmpty() && !home.equals(List.of(cluster.name()))) {
        return false;
      }
    }
    return user.extra().getOrDefault(SCOPES, List.of()).stream()
        .allMatch(scopes -> List.of(scopes.split(",")).contains(CLUSTER_SCOPE + cluster.name()));
  }

  /** The logical cluster of a service account; empty for other users. */
  public static Optional<LogicalCluster> home(UserInfo user) {
    List<String> home = user.extra().getOrDefault(CLUSTER_NAME, List.of());
    return isServiceAccount(user) && home.size() == 1
        ? Optional.of(new LogicalCluster(home.getFirst()))
        : Optional.empty();
  }

  public static boolean isServiceAccount(UserInfo user) {
    return user.name().startsWith(Subject.SERVICE_ACCOUNT_PREFIX);
  }

  /** The name by which other clusters can bind a service account. */
  private static UserInfo global(UserInfo account, String home) {
    var groups = new ArrayList<String>();
    if (account.groups().contains(UserInfo.AUTHENTICATED)) {
      groups.add(UserInfo.AUTHENTICATED);
    }
    groups.addAll(scopeGroups(account));
    return new UserInfo(globalName(account, home), "", groups, Map.of());
  }

  private static UserInfo withScopeGroups(UserInfo user) {
    var groups = new ArrayList<>(user.groups());
    groups.addAll(scopeGroups(user));
    return new UserInfo(user.name(), user.uid(), groups, user.extra());
  }

  /** {@code system:cluster:<name>} for each cluster that every value of the scopes names. */
  private static List<String> scopeGroups(UserInfo user) {
    List<List<String>> values =
        user.extra().getOrDefault(SCOPES, List.of()).stream()
            .map(scopes -> List.of(scopes.split(",")))
            .toList();
    return values.stream()
        .limit(1)
        .flatMap(List::stream)
        .distinct()
        .filter(scope -> scope.startsWith(CLUSTER_SCOPE))
        .filter(scope -> values.stream().allMatch(alternatives -> alternatives.contains(scope)))
        .map(scope -> "system:" + scope)
        .toList();
  }

  static String globalName(UserInfo account, String home) {
    return "system:kcp:serviceaccount:"
        + home
        + ":"
        + account.name().substring(Subject.SERVICE_ACCOUNT_PREFIX.length());
  }

  /** A user without a name if the warrant is no JSON object. */
  static UserInfo parse(String warrant) {
    try {
      KubeObject json = KubeJson.readObject(warrant);
      var extra = new LinkedHashMap<String, List<String>>();
      json.map("extra").forEach((key, values) -> extra.put(key, Trees.texts(values)));
      return new UserInfo(
          json.text("user"), json.text("uid"), Trees.texts(json.at("groups")), extra);
    } catch (MalformedJson notAWarrant) {
      return UserInfo.of("");
    }
  }
}
