package dev.mooring.sandbox.kcp.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.bound.BindingIndex;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.rbac.BootstrapPolicy;
import dev.mooring.sandbox.security.rbac.RbacPolicies;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.ShardStores;
import dev.mooring.sandbox.storage.StorageKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KcpAuthorizerTest {
  private static final LogicalCluster WORKSPACE = new LogicalCluster("consumer");
  private static final LogicalCluster PROVIDER = new LogicalCluster("provider");
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final Map<String, Object> ENTRY =
      Map.of("verbs", List.of("access"), "nonResourceURLs", List.of("/"));
  private static final UserInfo ALICE = UserInfo.of("alice", "team", UserInfo.AUTHENTICATED);
  private static final UserInfo KCP_ADMIN =
      UserInfo.of("kcp-admin", "system:kcp:admin", UserInfo.AUTHENTICATED);

  private final ResourceStore store = new InMemoryResourceStore();
  private final KcpAuthorizer authorizer =
      new KcpAuthorizer(
          new ShardStores(store),
          new RbacPolicies(new ShardStores(store), BootstrapPolicy.kcp()),
          new BindingIndex(store));

  @BeforeEach
  void workspace() {
    logicalCluster(WORKSPACE, Map.of());
    logicalCluster(PROVIDER, Map.of());
  }

  @Test
  void everyDenialReadsAccessDenied() {
    assertThat(ask(ALICE, "get", "configmaps")).isEqualTo(new Decision.NoOpinion("access denied"));
  }

  @Test
  void administratorsMayEverythingInEveryWorkspace() {
    assertThat(ask(KCP_ADMIN, "delete", "secrets").allowed()).isTrue();
  }

  @Test
  void onlyMastersMayWhereThereIsNoLogicalCluster() {
    var version = new AuthorizationAttributes.Url("/version");
    var masters = UserInfo.of("shard-admin", UserInfo.MASTERS);

    assertThat(
            authorizer
                .authorize(new AuthorizationAttributes(KCP_ADMIN, Optional.empty(), "get", version))
                .allowed())
        .isFalse();
    assertThat(
            authorizer
                .authorize(new AuthorizationAttributes(masters, Optional.empty(), "get", version))
                .allowed())
        .isTrue();
    assertThat(
            authorizer
                .authorize(
                    new AuthorizationAttributes(
                        UserInfo.anonymous(),
                        Optional.empty(),
                        "get",
                        new AuthorizationAttributes.Url("/readyz")))
                .allowed())
        .isTrue();
  }

  @Test
  void rulesAreVoidWithoutEntry() {
    grant(WORKSPACE, "reader", "alice", reads("configmaps"));
    assertThat(ask(ALICE, "get", "configmaps").allowed()).isFalse();

    grant(WORKSPACE, "entry", "alice", ENTRY);
    assertThat(ask(ALICE, "get", "configmaps").allowed()).isTrue();
    assertThat(ask(ALICE, "get", "secrets").allowed()).isFalse();
  }

  @Test
  void revokedRightsAreGoneAtOnce() {
    grant(WORKSPACE, "reader", "alice", reads("configmaps"), ENTRY);
    assertThat(ask(ALICE, "get", "configmaps").allowed()).isTrue();

    var binding =
        store
            .get(
                new StorageKey(
                    ResourceKey.of(RBAC, "clusterrolebindings"), WORKSPACE, "", "reader"))
            .orElseThrow();
    store.delete(binding, binding.object());

    assertThat(ask(ALICE, "get", "configmaps").allowed()).isFalse();
  }

  @Test
  void unknownAndUnfinishedWorkspacesAreClosed() {
    assertThat(
            authorizer.authorize(
                new AuthorizationAttributes(
                    KCP_ADMIN,
                    Optional.of(new LogicalCluster("nowhere")),
                    "get",
                    resource("", "configmaps"))))
        .isEqualTo(new Decision.Denied("access denied"));
  }

  @Test
  void requiredGroupsAreAlternativesOfConjunctions() {
    var guarded = new LogicalCluster("guarded");
    logicalCluster(
        guarded, Map.of("authorization.kcp.io/required-groups", "staff,team;contractors"));
    grant(guarded, "reader", "alice", reads("configmaps"), ENTRY);

    assertThat(askIn(guarded, ALICE).allowed()).isFalse();
    assertThat(askIn(guarded, UserInfo.of("alice", "staff", "team")).allowed()).isTrue();
    assertThat(askIn(guarded, UserInfo.of("alice", "contractors")).allowed()).isTrue();
  }

  @Test
  void serviceAccountIsAtHomeInItsWorkspaceAlone() {
    UserInfo robot =
        new UserInfo(
            "system:serviceaccount:default:robot",
            "",
            List.of("system:serviceaccounts", UserInfo.AUTHENTICATED),
            Map.of("authentication.kcp.io/cluster-name", List.of(WORKSPACE.name())));
    grant(WORKSPACE, "reader", robot.name(), reads("configmaps"));
    grant(PROVIDER, "reader", robot.name(), reads("configmaps"), ENTRY);

    assertThat(askIn(WORKSPACE, robot).allowed()).isTrue();
    assertThat(askIn(PROVIDER, robot).allowed()).isFalse();
  }

  @Test
  void statusOfBindingsBelongsToTheServer() {
    var status =
        new AuthorizationAttributes.Resource(
            "apis.kcp.io", "v1alpha2", "apibindings", "status", "", "b");

    assertThat(
            authorizer
                .authorize(
                    new AuthorizationAttributes(
                        KCP_ADMIN, Optional.of(WORKSPACE), "update", status))
                .allowed())
        .isFalse();
  }

  @Test
  void maximalPermissionPolicyIsAskedOfTheProvider() {
    put(
        "apis.kcp.io",
        "apibindings",
        WORKSPACE,
        Map.of(
            "metadata", Map.of("name", "gizmos"),
            "spec", Map.of("reference", Map.of("export", Map.of("name", "gizmos"))),
            "status",
                Map.of(
                    "apiExportClusterName",
                    PROVIDER.name(),
                    "boundResources",
                    List.of(Map.of("group", "a.io", "resource", "gizmos")))));
    put(
        "apis.kcp.io",
        "apiexports",
        PROVIDER,
        Map.of(
            "metadata", Map.of("name", "gizmos"),
            "spec", Map.of("maximalPermissionPolicy", Map.of("local", Map.of()))));
    var gizmos =
        new AuthorizationAttributes(
            KCP_ADMIN, Optional.of(WORKSPACE), "get", resource("a.io", "gizmos"));

    assertThat(authorizer.authorize(gizmos).allowed()).isFalse();

    grant(
        PROVIDER,
        "mpp",
        "apis.kcp.io:binding:kcp-admin",
        Map.of(
            "verbs", List.of("get"),
            "apiGroups", List.of("a.io"),
            "resources", List.of("gizmos")));
    assertThat(authorizer.authorize(gizmos).allowed()).isTrue();
  }

  private Decision ask(UserInfo user, String verb, String resource) {
    return authorizer.authorize(
        new AuthorizationAttributes(user, Optional.of(WORKSPACE), verb, resource("", resource)));
  }

  private Decision askIn(LogicalCluster cluster, UserInfo user) {
    return authorizer.authorize(
        new AuthorizationAttributes(user, Optional.of(cluster), "get", resource("", "configmaps")));
  }

  private static AuthorizationAttributes.Resource resource(String group, String resource) {
    return new AuthorizationAttributes.Resource(group, "v1", resource, "", "default", "one");
  }

  private static Map<String, Object> reads(String resource) {
    return Map.of(
        "verbs", List.of("get"),
        "apiGroups", List.of(""),
        "resources", List.of(resource));
  }

  private void logicalCluster(LogicalCluster cluster, Map<String, String> annotations) {
    put(
        "core.kcp.io",
        "logicalclusters",
        cluster,
        Map.of(
            "metadata", Map.of("name", "cluster", "annotations", annotations),
            "status", Map.of("phase", "Ready")));
  }

  private void grant(LogicalCluster cluster, String name, String user, Object... rules) {
    put(
        RBAC,
        "clusterroles",
        cluster,
        Map.of("metadata", Map.of("name", name), "rules", List.of(rules)));
    put(
        RBAC,
        "clusterrolebindings",
        cluster,
        Map.of(
            "metadata", Map.of("name", name),
            "roleRef", Map.of("kind", "ClusterRole", "name", name),
            "subjects", List.of(Map.of("kind", "User", "name", user))));
  }

  private void put(
      String group, String resource, LogicalCluster cluster, Map<String, Object> tree) {
    KubeObject object = KubeObject.of(tree);
    store.create(
        new StorageKey(ResourceKey.of(group, resource), cluster, "", object.name()), object);
  }
}
