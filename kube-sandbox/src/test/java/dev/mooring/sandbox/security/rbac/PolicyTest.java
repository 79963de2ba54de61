package dev.mooring.sandbox.security.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyTest {
  private static final UserInfo ALICE = UserInfo.of("alice", "team", "system:authenticated");

  private final List<KubeObject> clusterRoles = new ArrayList<>();
  private final List<KubeObject> clusterRoleBindings = new ArrayList<>();
  private final List<KubeObject> roles = new ArrayList<>();
  private final List<KubeObject> roleBindings = new ArrayList<>();

  @Test
  void unboundRolesGrantNothing() {
    clusterRoles.add(role("reader", "", "configmaps", "get"));

    assertThat(allows(ALICE, get("configmaps", "default"))).isFalse();
  }

  @Test
  void clusterRoleBindingGrantsEverywhereByUserAndByGroup() {
    clusterRoles.add(role("reader", "", "configmaps", "get"));
    clusterRoleBindings.add(binding("", "ClusterRole", "reader", subject("Group", "team")));

    assertThat(allows(ALICE, get("configmaps", "default"))).isTrue();
    assertThat(allows(UserInfo.of("bob", "others"), get("configmaps", "default"))).isFalse();
    assertThat(allows(UserInfo.of("team"), get("configmaps", "default"))).isFalse();
  }

  @Test
  void roleBindingGrantsInItsNamespaceAlone() {
    roles.add(role("reader", "a", "secrets", "get"));
    roleBindings.add(binding("a", "Role", "reader", subject("User", "alice")));

    assertThat(allows(ALICE, get("secrets", "a"))).isTrue();
    assertThat(allows(ALICE, get("secrets", "b"))).isFalse();
    assertThat(allows(ALICE, get("secrets", ""))).isFalse();
  }

  @Test
  void roleBindingOfAClusterRoleConfinesItToTheNamespace() {
    clusterRoles.add(role("reader", "", "secrets", "get"));
    roleBindings.add(binding("a", "ClusterRole", "reader", subject("User", "alice")));

    assertThat(allows(ALICE, get("secrets", "a"))).isTrue();
    assertThat(allows(ALICE, get("secrets", "b"))).isFalse();
  }

  @Test
  void serviceAccountWithoutNamespaceIsOfTheBindings() {
    roles.add(role("reader", "a", "secrets", "get"));
    roleBindings.add(binding("a", "Role", "reader", subject("ServiceAccount", "robot")));

    assertThat(allows(UserInfo.of("system:serviceaccount:a:robot"), get("secrets", "a"))).isTrue();
    assertThat(allows(UserInfo.of("system:serviceaccount:b:robot"), get("secrets", "a"))).isFalse();
  }

  @Test
  void inheritedRolesCanBeBoundAndTheirBindingsDoNotCount() {
    clusterRoleBindings.add(binding("", "ClusterRole", "view", subject("User", "alice")));

    assertThat(allows(ALICE, get("configmaps", "a"))).isTrue();
    assertThat(allows(ALICE, get("secrets", "a"))).isFalse();
    assertThat(allows(UserInfo.of("x", UserInfo.MASTERS), get("secrets", "a"))).isFalse();
  }

  @Test
  void aggregatedRoleHasTheRulesOfThoseItSelectsToAnyDepth() {
    Policy bootstrap = BootstrapPolicy.kcp();

    List<PolicyRule> admin =
        bootstrap.rulesOf(new RoleRef("ClusterRole", "admin"), "").orElseThrow();

    assertThat(admin).anyMatch(rule -> rule.allows("get", get("configmaps", "a")));
    assertThat(admin).anyMatch(rule -> rule.allows("delete", get("secrets", "a")));
    assertThat(admin)
        .anyMatch(rule ->
            rule.allows(
                "create",
                new AuthorizationAttributes.Resource(
                    "rbac.authorization.k8s.io", "v1", "roles", "", "a", "")));
    assertThat(admin).noneMatch(rule -> rule.allows("delete", get("namespaces", "a")));
  }

  @Test
  void bootstrapLetsAuthenticatedUsersDiscoverButNotEnter() {
    Policy bootstrap = BootstrapPolicy.kcp();

    assertThat(bootstrap.allows(List.of(ALICE), "get", new AuthorizationAttributes.Url("/apis/x")))
        .isTrue();
    assertThat(bootstrap.allows(List.of(ALICE), "access", new AuthorizationAttributes.Url("/")))
        .isFalse();
    assertThat(
            bootstrap.allows(
                List.of(UserInfo.of("root", "system:kcp:admin")),
                "access",
                new AuthorizationAttributes.Url("/")))
        .isTrue();
  }

  @Test
  void kcpGroupsMeanNothingToPlainKubernetes() {
    assertThat(
            BootstrapPolicy.kubernetes()
                .allows(
                    List.of(UserInfo.of("root", "system:kcp:admin")),
                    "get",
                    get("configmaps", "default")))
        .isFalse();
  }

  private boolean allows(UserInfo user, AuthorizationAttributes.Target target) {
    return Policy.compile(
            new RbacObjects(clusterRoles, clusterRoleBindings, roles, roleBindings),
            BootstrapPolicy.kcp())
        .allows(List.of(user), "get", target);
  }

  private static AuthorizationAttributes.Resource get(String resource, String namespace) {
    return new AuthorizationAttributes.Resource("", "v1", resource, "", namespace, "one");
  }

  private static KubeObject role(String name, String namespace, String resource, String verb) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", name, "namespace", namespace),
            "rules",
            List.of(
                Map.of(
                    "verbs", List.of(verb),
                    "apiGroups", List.of(""),
                    "resources", List.of(resource)))));
  }

  private static KubeObject binding(
      String namespace, String kind, String role, Map<String, Object> subject) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", "b", "namespace", namespace),
            "roleRef",
            Map.of("kind", kind, "name", role),
            "subjects",
            List.of(subject)));
  }

  private static Map<String, Object> subject(String kind, String name) {
    return Map.of("kind", kind, "name", name);
  }
}
