package dev.mooring.sandbox.security.authentication;

import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.admin.AdminUsers;
import dev.mooring.sandbox.security.authorization.AccessDenied;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.EffectiveUsers;
import dev.mooring.sandbox.security.user.UserInfo;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Impersonation by the {@code Impersonate-*} headers, behind the verb {@code impersonate} on users,
 * groups, service accounts, UIDs and extras. In kcp a user cannot impersonate a privileged group
 * that it is not in, and an impersonated user is confined to the request's logical cluster, unless
 * it is masters who ask.
 *
 * @param bare asked where a request is for no logical cluster
 */
public record HeaderImpersonation(Authorizer bare, Guard guard) {
  private static final String SERVICE_ACCOUNT = "system:serviceaccount:";
  private static final String AUTHENTICATION = "authentication.k8s.io";
  private static final String EXTRA = "impersonate-extra-";
  private static final Set<String> GUARDED_GROUPS =
      Set.of(
          UserInfo.MASTERS,
          UserInfo.AUTHENTICATED,
          AdminUsers.KCP_ADMIN_GROUP,
          "system:kcp:logical-cluster-admin",
          "system:kcp:external-logical-cluster-admin",
          "system:kcp:tenancy:workspace-bootstrapper");

  /** Whose rules apply in addition to RBAC's. */
  public enum Guard {
    KUBERNETES,
    KCP
  }

  /**
   * The user itself if the request does not ask for another one.
   *
   * @param view empty for a bare path
   * @throws ApiFailure 403 if the user may not
   */
  public UserInfo apply(UserInfo user, Credentials credentials, Optional<RequestScope> view) {
    Map<String, List<String>> headers = credentials.impersonation();
    if (headers.isEmpty()) {
      return user;
    }
    String name = first(headers, "impersonate-user");
    String uid = first(headers, "impersonate-uid");
    List<String> groups = headers.getOrDefault("impersonate-group", List.of());
    Map<String, List<String>> extra = extra(headers);
    if (name.isEmpty()) {
      if (uid.isEmpty() && groups.isEmpty() && extra.isEmpty()) {
        return user;
      }
      throw ApiFailure.badRequest(
          "requested impersonation of groups, a UID or extras without impersonating a user name");
    }
    boolean masters = user.groups().contains(UserInfo.MASTERS);
    if (guard == Guard.KCP && !masters) {
      for (String group : groups) {
        if (GUARDED_GROUPS.contains(group) && !user.groups().contains(group)) {
          throw ApiFailure.forbidden("impersonation is not allowed for the requestor");
        }
      }
    }
    authorizeAll(user, view, name, uid, groups, extra);
    if (guard == Guard.KCP && !masters) {
      view.flatMap(RequestScope::cluster)
          .ifPresent(cluster ->
              extra
                  .computeIfAbsent(EffectiveUsers.SCOPES, key -> new ArrayList<>())
                  .add("cluster:" + cluster.name()));
    }
    return new UserInfo(name, uid, effectiveGroups(name, groups), extra);
  }

  private void authorizeAll(
      UserInfo user,
      Optional<RequestScope> view,
      String name,
      String uid,
      List<String> groups,
      Map<String, List<String>> extra) {
    Optional<String[]> account = serviceAccount(name);
    if (account.isPresent()) {
      authorize(user, view, "", "serviceaccounts", "", account.get()[0], account.get()[1]);
    } else {
      authorize(user, view, "", "users", "", "", name);
    }
    if (!uid.isEmpty()) {
      authorize(user, view, AUTHENTICATION, "uids", "", "", uid);
    }
    for (String group : groups) {
      authorize(user, view, "", "groups", "", "", group);
    }
    extra.forEach((key, values) ->
        values.forEach(
            value -> authorize(user, view, AUTHENTICATION, "userextras", key, "", value)));
  }

  private void authorize(
      UserInfo user,
      Optional<RequestScope> view,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name) {
    var attributes =
        new AuthorizationAttributes(
            user,
            view.flatMap(RequestScope::cluster),
            "impersonate",
            new AuthorizationAttributes.Resource(
                group, "v1", resource, subresource, namespace, name));
    Decision decision =
        view.map(asked -> asked.authorize(attributes)).orElseGet(() -> bare.authorize(attributes));
    if (!decision.allowed()) {
      throw AccessDenied.failure(attributes, decision);
    }
  }

  private static List<String> effectiveGroups(String name, List<String> asked) {
    var groups = new ArrayList<>(asked);
    if (asked.isEmpty()) {
      serviceAccount(name)
          .ifPresent(account -> {
            groups.add("system:serviceaccounts");
            groups.add("system:serviceaccounts:" + account[0]);
          });
    }
    String implied =
        name.equals(UserInfo.ANONYMOUS) ? UserInfo.UNAUTHENTICATED : UserInfo.AUTHENTICATED;
    if (!groups.contains(UserInfo.AUTHENTICATED) && !groups.contains(UserInfo.UNAUTHENTICATED)) {
      groups.add(implied);
    }
    return groups;
  }

  /** Namespace and name. */
  private static Optional<String[]> serviceAccount(String user) {
    if (!user.startsWith(SERVICE_ACCOUNT)) {
      return Optional.empty();
    }
    String[] parts = user.substring(SERVICE_ACCOUNT.length()).split(":", -1);
    return parts.length == 2 ? Optional.of(parts) : Optional.empty();
  }

  private static Map<String, List<String>> extra(Map<String, List<String>> headers) {
    var extra = new LinkedHashMap<String, List<String>>();
    headers.forEach((header, values) -> {
      if (header.startsWith(EXTRA)) {
        String key =
            URLDecoder.decode(
                header.substring(EXTRA.length()).replace("+", "%2B"), StandardCharsets.UTF_8);
        extra.put(key, new ArrayList<>(values));
      }
    });
    return extra;
  }

  private static String first(Map<String, List<String>> headers, String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    return values.isEmpty() ? "" : values.getFirst();
  }
}
