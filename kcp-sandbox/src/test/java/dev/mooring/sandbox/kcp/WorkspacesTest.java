package dev.mooring.sandbox.kcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StorageKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkspacesTest {
  private final KcpServer server = new KcpServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void makesAWorkspaceReadyWithItsContent() {
    LogicalCluster cluster = server.workspace("team-a");

    KubeObject logicalCluster =
        server.get(cluster, "logicalclusters.core.kcp.io", "cluster").orElseThrow();
    assertThat(logicalCluster.annotations())
        .containsEntry("kcp.io/path", "root:team-a")
        .containsEntry("internal.tenancy.kcp.io/type", "root:universal");
    assertThat(server.get(cluster, "namespaces", "default")).isPresent();
    assertThat(
            server.get(cluster, "clusterrolebindings.rbac.authorization.k8s.io", "workspace-admin"))
        .get()
        .extracting(binding -> binding.list("subjects").size())
        .isEqualTo(1);
    assertThat(
            server
                .store
                .list(ListScope.of(ResourceKey.of("apis.kcp.io", "apibindings"), cluster))
                .items())
        .hasSize(2)
        .allSatisfy(
            binding -> assertThat(binding.object().text("status", "phase")).isEqualTo("Bound"));
  }

  @Test
  void resolvesPathsAndNames() {
    LogicalCluster cluster = server.workspace("team-a");

    assertThat(server.kcp.clusters().resolve("root:team-a")).isEqualTo(cluster);
    assertThat(server.kcp.clusters().resolve(cluster.name())).isEqualTo(cluster);
    assertThatThrownBy(() -> server.kcp.clusters().resolve("root:nope"))
        .isInstanceOf(ApiFailure.class)
        .hasMessage("workspaces.tenancy.kcp.io \"root:nope\" not found");
    assertThatThrownBy(() -> server.kcp.clusters().resolve("root:UPPER"))
        .hasMessage("invalid cluster: \"root:UPPER\" does not match the regex");
  }

  @Test
  void givesTheDefaultTypeOfTheParent() {
    LogicalCluster parent = server.workspace("team-a");

    KubeObject inRoot = server.create(KcpServer.ROOT, untyped("x"));
    KubeObject below = server.create(parent, untyped("x"));

    assertThat(inRoot.text("spec", "type", "name")).isEqualTo("organization");
    assertThat(below.text("spec", "type", "name")).isEqualTo("universal");
  }

  @Test
  void refusesATypeThatIsNotThere() {
    assertThatThrownBy(() ->
            server.create(
                KcpServer.ROOT,
                """
                {"apiVersion": "tenancy.kcp.io/v1alpha1", "kind": "Workspace",
                 "metadata": {"name": "kid"}, "spec": {"type": {"name": "no", "path": "root"}}}
                """))
        .hasMessage(
            "workspaces.tenancy.kcp.io \"kid\" is forbidden: Internal error occurred:"
                + " workspacetypes.tenancy.kcp.io \"root:no\" not found");
  }

  @Test
  void removesAWorkspaceWithEverythingInIt() {
    LogicalCluster cluster = server.workspace("team-a");
    KubeObject kid = server.create(cluster, untyped("kid"));
    KubeObject held =
        server.create(
            cluster,
            """
            {"apiVersion": "v1", "kind": "ConfigMap",
             "metadata": {"name": "held", "namespace": "default", "finalizers": ["example.com/hold"]}}
            """);
    KubeObject workspace =
        server.get(KcpServer.ROOT, "workspaces.tenancy.kcp.io", "team-a").orElseThrow();

    server.delete(KcpServer.ROOT, workspace);

    server.eventually(
        KcpServer.ROOT,
        "workspaces.tenancy.kcp.io",
        "team-a",
        seen -> "Deleting".equals(seen.labels().get("tenancy.kcp.io/phase")));
    server.eventuallyGone(cluster, "workspaces.tenancy.kcp.io", kid.name());
    KubeObject waiting = server.get(cluster, "configmaps", "default", "held").orElseThrow();
    assertThat(waiting.deleting()).isTrue();
    assertThat(waiting.uid()).isEqualTo(held.uid());

    server.replace(cluster, waiting.without("metadata", "finalizers"));

    server.eventuallyGone(KcpServer.ROOT, "workspaces.tenancy.kcp.io", "team-a");
    assertThat(server.kcp.clusters().object(cluster)).isEmpty();
    assertThatThrownBy(() -> server.kcp.clusters().resolve("root:team-a"))
        .isInstanceOf(ApiFailure.class);
  }

  @Test
  void keepsAWorkspaceForAsLongAsAdmissionKeepsSomethingInIt() {
    LogicalCluster cluster = server.workspace("team-a");
    server.create(cluster, configMap("kept"));
    server.create(cluster, configMap("other"));
    server.create(
        cluster,
        """
        {"apiVersion": "v1", "kind": "Secret",
         "metadata": {"name": "beside", "namespace": "default"}}
        """);
    server.keep("kept");
    KubeObject workspace =
        server.get(KcpServer.ROOT, "workspaces.tenancy.kcp.io", "team-a").orElseThrow();

    server.delete(KcpServer.ROOT, workspace);

    await().until(() -> server.get(cluster, "secrets", "default", "beside").isEmpty());
    assertThat(server.get(cluster, "configmaps", "default", "kept"))
        .get()
        .matches(kept -> !kept.deleting());
    assertThat(server.kcp.clusters().object(cluster)).isPresent();

    server.keepNoMore("kept");

    server.eventuallyGone(KcpServer.ROOT, "workspaces.tenancy.kcp.io", "team-a");
  }

  @Test
  void storesNothingThatWasAdmittedBeforeItsWorkspaceWent() throws Exception {
    LogicalCluster cluster = server.workspace("team-a");
    KubeObject workspace =
        server.get(KcpServer.ROOT, "workspaces.tenancy.kcp.io", "team-a").orElseThrow();
    KcpServer.HeldBack role = server.holdBack("late-role");
    KcpServer.HeldBack map = server.holdBack("late-map");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<KubeObject> clusterScoped =
          threads.submit(() ->
              server.create(
                  cluster,
                  """
                  {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
                   "metadata": {"name": "late-role"}}
                  """));
      Future<KubeObject> namespaced =
          threads.submit(() -> server.create(cluster, configMap("late-map")));
      role.arrived().await();
      map.arrived().await();
      server.delete(KcpServer.ROOT, workspace);
      server.eventuallyGone(KcpServer.ROOT, "workspaces.tenancy.kcp.io", "team-a");

      role.released().countDown();
      map.released().countDown();

      assertThatThrownBy(clusterScoped::get)
          .cause()
          .hasMessage(
              "clusterroles.rbac.authorization.k8s.io \"late-role\" is forbidden: logical cluster "
                  + cluster
                  + " is gone");
      assertThatThrownBy(namespaced::get).cause().hasMessage("namespaces \"default\" not found");
    }
    assertNothingLeft(cluster);
  }

  @Test
  void leavesNothingThatWasStoredAfterTheLastLookIntoAWorkspace() {
    LogicalCluster cluster = server.workspace("team-a");
    // Nothing serves it, so that nobody looks for it either.
    server.store.create(
        new StorageKey(ResourceKey.of("example.com", "things"), cluster, "", "unseen"),
        KubeObject.of(
            Map.of("metadata", Map.of("name", "unseen", "finalizers", List.of("example.com/f")))));
    KubeObject workspace =
        server.get(KcpServer.ROOT, "workspaces.tenancy.kcp.io", "team-a").orElseThrow();

    server.delete(KcpServer.ROOT, workspace);

    server.eventuallyGone(KcpServer.ROOT, "workspaces.tenancy.kcp.io", "team-a");
    await().untilAsserted(() -> assertNothingLeft(cluster));
  }

  private void assertNothingLeft(LogicalCluster cluster) {
    assertThat(server.store.resourceKeys())
        .allSatisfy(resourceKey ->
            assertThat(server.store.list(ListScope.of(resourceKey, cluster)).items()).isEmpty());
  }

  private static String configMap(String name) {
    return """
    {"apiVersion": "v1", "kind": "ConfigMap",
     "metadata": {"name": "%s", "namespace": "default"}}
    """
        .formatted(name);
  }

  @Test
  void waitsForAnInitializerOfATypeOfOnesOwn() {
    LogicalCluster provider = server.workspace("provider");
    server.create(
        provider,
        """
        {"apiVersion": "tenancy.kcp.io/v1alpha1", "kind": "WorkspaceType",
         "metadata": {"name": "slow"},
         "spec": {"initializer": true, "defaultChildWorkspaceType": {"name": "universal", "path": "root"},
          "extend": {"with": [{"name": "universal", "path": "root"}]}}}
        """);
    server.create(
        provider,
        """
        {"apiVersion": "tenancy.kcp.io/v1alpha1", "kind": "Workspace",
         "metadata": {"name": "kid"}, "spec": {"type": {"name": "slow", "path": "root:provider"}}}
        """);

    KubeObject waiting =
        server.eventually(
            provider,
            "workspaces.tenancy.kcp.io",
            "kid",
            seen -> seen.list("status", "initializers").equals(List.of(provider.name() + ":slow")));

    assertThat(waiting.text("status", "phase")).isEqualTo("Initializing");
  }

  private static String untyped(String name) {
    return """
    {"apiVersion": "tenancy.kcp.io/v1alpha1", "kind": "Workspace",
     "metadata": {"name": "%s"}, "spec": {}}
    """
        .formatted(name);
  }
}
