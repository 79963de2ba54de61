package dev.mooring.sandbox.security.authentication;

import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.authorization.AccessDenied;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.EffectiveUsers;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
  private static final String AUTHENTICATION = "authentication.k8s.io";

  private static final Set<String> GUARDED_GROUPS =
      Set.of(
          UserInfo.MASTERS,
          UserInfo.AUTHENTICATED,
          UserInfo.KCP_ADMINS,
          "system:kcp:logical-cluster-admin",
          "system:kcp:external-logical-cluster-admin",
          "system:kcp:tenancy:workspace-bootstrapper");

  /** Whose rules apply in addition to RBAC's. */
  public enum Guard {
    KUBERNETES,
    KCP
  }

  /** The rules of virtual workspaces. */
  public HeaderImpersonation inViews() {
    return new HeaderImpersonation(bare, Guard.KUBERNETES);
  }

  /**
   * The user itself if the request does not ask for another one.
   *
   * @param view of the request; empty for a bare path
   * @throws ApiFailure 403 if the user may not
   */
  public UserInfo apply(UserInfo user, Credentials credentials, Optional<ApiView> view) {
    if (credentials.impersonation().isEmpty()) {
      return user;
    }
    boolean masters = user.groups().contains(UserInfo.MASTERS);
    boolean guarded = guard == Guard.KCP && !masters;
    Optional<WantedUser> asked = WantedUser.of(credentials.impersonation());
    if (asked.isEmpty()) {
      return user;
    }
    WantedUser wanted = asked.get();
    if (guarded
        && wanted.groups().stream()
            .anyMatch(group -> GUARDED_GROUPS.contains(group) && !user.groups().contains(group))) {
      throw ApiFailure.forbidden("impersonation is not allowed for the requestor");
    }
    for (AuthorizationAttributes.Resource target : targets(wanted)) {
      var attributes =
          new AuthorizationAttributes(user, view.flatMap(ApiView::cluster), "impersonate", target);
      Decision decision =
          view.map(within -> within.authorize(attributes))
              .orElseGet(() -> bare.authorize(attributes));
      if (!decision.allowed()) {
        throw AccessDenied.failure(attributes, decision);
      }
    }
    UserInfo impersonated = userOf(wanted);
    return guarded
        ? view.flatMap(ApiView::cluster)
            .map(cluster -> confined(impersonated, cluster.name()))
            .orElse(impersonated)
        : impersonated;
  }

  private static UserInfo confined(UserInfo user, String cluster) {
    var extra = new LinkedHashMap<>(user.extra());
    var scopes = new ArrayList<>(extra.getOrDefault(EffectiveUsers.SCOPES, List.of()));
    scopes.add("cluster:" + cluster);
    extra.put(EffectiveUsers.SCOPES, scopes);
    return new UserInfo(user.name(), user.uid(), user.groups(), extra);
  }

  private static UserInfo userOf(WantedUser wanted) {
    var groups = new ArrayList<>(wanted.groups());
    groups.addAll(wanted.impliedGroups());
    String implied =
        wanted.name().equals(UserInfo.ANONYMOUS)
            ? UserInfo.UNAUTHENTICATED
            : UserInfo.AUTHENTICATED;
    if (!groups.contains(UserInfo.AUTHENTICATED) && !groups.contains(UserInfo.UNAUTHENTICATED)) {
      groups.add(implied);
    }
    return new UserInfo(wanted.name(), wanted.uid(), groups, wanted.extra());
  }

  private static List<AuthorizationAttributes.Resource> targets(WantedUser wanted) {
    var targets = new ArrayList<AuthorizationAttributes.Resource>();
    targets.add(nameOf(wanted));
    if (!wanted.uid().isEmpty()) {
      targets.add(resource(AUTHENTICATION, "uids", "", wanted.uid()));
    }
    wanted.groups().forEach(group -> targets.add(resource("", "groups", "", group)));
    wanted
        .extra()
        .forEach((key, values) ->
            values.forEach(
                value -> targets.add(resource(AUTHENTICATION, "userextras", key, value))));
    return targets;
  }

  private static AuthorizationAttributes.Resource nameOf(WantedUser wanted) {
    return wanted
        .account()
        .map(account ->
            new AuthorizationAttributes.Resource(
                "", "v1", "serviceaccounts", "", account.namespace(), account.name()))
        .orElseGet(() -> resource("", "users", "", wanted.name()));
  }

  private static AuthorizationAttributes.Resource resource(
      String group, String resource, String subresource, String name) {
    return new AuthorizationAttributes.Resource(group, "v1", resource, subresource, "", name);
  }
}
