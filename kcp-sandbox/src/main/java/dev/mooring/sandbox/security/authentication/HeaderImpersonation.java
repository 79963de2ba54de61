package dev.mooring.sandbox.security.authentication;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.admin.AdminUsers;
import dev.mooring.sandbox.security.authorization.AccessDenied;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.EffectiveUsers;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Impersonation by the {@code Impersonate-*} headers, behind the verb {@code impersonate} on users,
 * groups, service accounts, UIDs and extras, or behind the verbs of a constrained {@link
 * ImpersonationMode}. In kcp a user cannot impersonate a privileged group that it is not in, and an
 * impersonated user is confined to the request's logical cluster, unless it is masters who ask.
 *
 * @param bare asked where a request is for no logical cluster
 */
public record HeaderImpersonation(
    Authorizer bare, Guard guard, Cache<String, ImpersonationMode> lastModes) {
  /** Users of which it is remembered how they impersonate. */
  private static final int USERS_MAX = 10_000;

  static final String AUTHENTICATION = "authentication.k8s.io";

  /** From so many groups or extras on, the right to impersonate all of them is asked for first. */
  private static final int MANY = 4;

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
    KCP,
    /** Kubernetes' older rules, by which virtual workspaces impersonate. */
    VIEW
  }

  /** The rules of virtual workspaces. */
  public HeaderImpersonation inViews() {
    return new HeaderImpersonation(bare, Guard.VIEW);
  }

  public HeaderImpersonation(Authorizer bare, Guard guard) {
    this(bare, guard, CacheBuilder.newBuilder().maximumSize(USERS_MAX).build());
  }

  /**
   * What the user is about to do.
   *
   * @param view empty for a bare path
   */
  public record Intent(
      Optional<RequestScope> view, String verb, AuthorizationAttributes.Target target) {}

  /** Asks for rights of one user. */
  private record Requestor(HeaderImpersonation rules, UserInfo user, Optional<RequestScope> view) {
    void require(String verb, AuthorizationAttributes.Target target) {
      AuthorizationAttributes attributes = attributes(verb, target);
      Decision decision = decide(attributes);
      if (!decision.allowed()) {
        throw AccessDenied.failure(attributes, decision);
      }
    }

    boolean may(String verb, AuthorizationAttributes.Target target) {
      return decide(attributes(verb, target)).allowed();
    }

    ApiFailure refusal(String verb, AuthorizationAttributes.Target target, String why) {
      return AccessDenied.failure(attributes(verb, target), new Decision.Denied(why));
    }

    private AuthorizationAttributes attributes(String verb, AuthorizationAttributes.Target target) {
      return new AuthorizationAttributes(user, view.flatMap(RequestScope::cluster), verb, target);
    }

    private Decision decide(AuthorizationAttributes attributes) {
      return view.map(asked -> asked.authorize(attributes))
          .orElseGet(() -> rules.bare.authorize(attributes));
    }
  }

  /**
   * The user itself if the request does not ask for another one.
   *
   * @throws ApiFailure 403 if the user may not
   */
  public UserInfo apply(UserInfo user, Credentials credentials, Intent intent) {
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
    var requestor = new Requestor(this, user, intent.view());
    UserInfo impersonated = impersonated(requestor, wanted, intent);
    return guarded
        ? intent
            .view()
            .flatMap(RequestScope::cluster)
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

  /**
   * By the first mode that allows it; what the first one lacks is what the client reads. The mode
   * by which the user did it last comes first.
   */
  private static UserInfo impersonated(Requestor requestor, WantedUser wanted, Intent intent) {
    ApiFailure refusal = null;
    Cache<String, ImpersonationMode> last = requestor.rules.lastModes;
    String user = requestor.user.name();
    var modes = new LinkedHashSet<ImpersonationMode>();
    Optional.ofNullable(last.getIfPresent(user)).ifPresent(modes::add);
    modes.addAll(List.of(ImpersonationMode.values()));
    for (ImpersonationMode mode : modes) {
      boolean counts = requestor.rules.guard != Guard.VIEW || mode == ImpersonationMode.LEGACY;
      if (counts && mode.covers(wanted)) {
        try {
          mode.verbOn(intent.verb()).ifPresent(verb -> requestor.require(verb, intent.target()));
          requireAll(requestor, wanted, mode);
          last.put(user, mode);
          return userOf(wanted, mode);
        } catch (ApiFailure failure) {
          refusal = refusal == null ? failure : refusal;
        }
      }
    }
    throw refusal == null ? new IllegalStateException("no mode covers every user") : refusal;
  }

  private static UserInfo userOf(WantedUser wanted, ImpersonationMode mode) {
    var groups = new ArrayList<>(wanted.groups());
    groups.addAll(mode.impliedGroups(wanted));
    String implied =
        wanted.name().equals(UserInfo.ANONYMOUS)
            ? UserInfo.UNAUTHENTICATED
            : UserInfo.AUTHENTICATED;
    if (!groups.contains(UserInfo.AUTHENTICATED) && !groups.contains(UserInfo.UNAUTHENTICATED)) {
      groups.add(implied);
    }
    return new UserInfo(wanted.name(), wanted.uid(), groups, wanted.extra());
  }

  private static void requireAll(Requestor requestor, WantedUser wanted, ImpersonationMode mode) {
    requestor.require(mode.verb(), nameOf(wanted, mode));
    if (!wanted.uid().isEmpty()) {
      requestor.require(mode.verb(), resource(AUTHENTICATION, "uids", "", wanted.uid()));
    }
    requireGroups(requestor, wanted.groups(), mode);
    requireExtra(requestor, wanted.extra(), mode);
  }

  private static AuthorizationAttributes.Resource nameOf(
      WantedUser wanted, ImpersonationMode mode) {
    Optional<String> node =
        mode == ImpersonationMode.NODE ? ImpersonationMode.node(wanted) : Optional.empty();
    return node.map(name -> resource(mode.group(), "nodes", "", name))
        .or(() ->
            wanted
                .account()
                .map(account ->
                    new AuthorizationAttributes.Resource(
                        mode.group(),
                        "v1",
                        "serviceaccounts",
                        "",
                        account.namespace(),
                        account.name())))
        .orElseGet(() -> resource(mode.group(), "users", "", wanted.name()));
  }

  private static void requireGroups(
      Requestor requestor, List<String> groups, ImpersonationMode mode) {
    if (mode != ImpersonationMode.LEGACY) {
      if (groups.contains("")) {
        throw requestor.refusal(
            mode.verb(), group(mode, ""), "impersonating the empty string group is not allowed");
      }
      if (groups.contains(UserInfo.MASTERS)) {
        throw requestor.refusal(
            mode.verb(),
            group(mode, UserInfo.MASTERS),
            "impersonating the system:masters group is not allowed");
      }
      if (groups.size() >= MANY && requestor.may(mode.verb(), group(mode, "*"))) {
        return;
      }
    }
    groups.forEach(group -> requestor.require(mode.verb(), group(mode, group)));
  }

  private static AuthorizationAttributes.Resource group(ImpersonationMode mode, String name) {
    return resource(mode.group(), "groups", "", name);
  }

  private static void requireExtra(
      Requestor requestor, Map<String, List<String>> extra, ImpersonationMode mode) {
    if (mode != ImpersonationMode.LEGACY) {
      extra.forEach((key, values) ->
          problem(key, values)
              .ifPresent(why -> {
                throw requestor.refusal(mode.verb(), extra("", ""), why);
              }));
      boolean many =
          extra.size() >= MANY || extra.values().stream().mapToInt(List::size).sum() >= MANY;
      if (many && requestor.may(mode.verb(), extra("*", "*"))) {
        return;
      }
    }
    extra.forEach((key, values) ->
        values.forEach(value -> requestor.require(mode.verb(), extra(key, value))));
  }

  private static AuthorizationAttributes.Resource extra(String key, String value) {
    return resource(AUTHENTICATION, "userextras", key, value);
  }

  /** Why an extra cannot be impersonated under constraints. */
  private static Optional<String> problem(String key, List<String> values) {
    if (key.isEmpty()) {
      return Optional.of("impersonating the empty string key in extra is not allowed");
    }
    int slash = key.indexOf('/');
    if (slash < 1 || slash == key.length() - 1) {
      return Optional.of(
          "impersonating an invalid key in extra is not allowed: extra.key: Invalid value: \""
              + key
              + "\": must be a domain-prefixed path (such as \"acme.io/foo\")");
    }
    if (!key.equals(key.toLowerCase(Locale.ROOT))) {
      return Optional.of(
          "impersonating a non-lowercase key in extra is not allowed: \"" + key + "\"");
    }
    return values.contains("")
        ? Optional.of("impersonating the empty string value in extra is not allowed")
        : Optional.empty();
  }

  private static AuthorizationAttributes.Resource resource(
      String group, String resource, String subresource, String name) {
    return new AuthorizationAttributes.Resource(group, "v1", resource, subresource, "", name);
  }
}
