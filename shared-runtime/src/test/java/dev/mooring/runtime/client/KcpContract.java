package dev.mooring.runtime.client;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.TestKcp;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the runtime relies on in a kcp of many workspaces, whichever a subclass starts or finds. */
abstract class KcpContract extends ClusterContract {
  private static final ResourceType WORKSPACES =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");

  private static final ResourceType SECRETS = new ResourceType("", "v1", "secrets");

  private static TestKcp kcp;
  private static Path kubeconfig;
  private static KubeConnection connection;
  private static WorkspacePath workspace;

  /** To be called before all tests. */
  static void enter(TestKcp given) {
    kcp = given;
    kubeconfig = given.kubeconfig();
    connection = KubeConnection.fromKubeconfig(kubeconfig, options());
    KubeClient root = connection.client(WorkspacePath.ROOT);
    KubeObject made =
        root.create(
            WORKSPACES,
            KubeObject.of(
                Map.of(
                    "apiVersion",
                    WORKSPACES.apiVersion(),
                    "kind",
                    "Workspace",
                    "metadata",
                    Map.of("generateName", "rt-"))));
    workspace = WorkspacePath.ROOT.child(made.name());
    await().until(() -> phase(root, made.name()).equals("Ready"));
  }

  /** To be called after all tests, also where none was run. */
  static void leave() {
    if (workspace != null) {
      connection
          .client(WorkspacePath.ROOT)
          .delete(WORKSPACES, "", workspace.name(), new DeleteCondition.Unconditional());
      workspace = null;
    }
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }

  @Override
  KubeClient client() {
    return connection.client(workspace);
  }

  private static ConnectionOptions options() {
    return ConnectionOptions.of("runtime-test");
  }

  private static String phase(KubeClient root, String name) {
    return root.find(WORKSPACES, "", name).orElseThrow().text("status", "phase");
  }

  @Test
  void entersTheSameClusterByPathAndByName() {
    KubeClient byPath = connection.client(workspace);
    KubeObject namespace = byPath.find(NAMESPACES, "", "default").orElseThrow();

    KubeClient byName = connection.client(cluster(byPath));

    assertThat(byName.find(NAMESPACES, "", "default")).contains(namespace);
  }

  @Test
  void logsInWithAClientCertificateAndMayDoWhatItsUserIsGranted(@TempDir Path directory) {
    String user = "rt-" + workspace.name();
    try (TestWorkspaces workspaces = TestWorkspaces.on(kcp);
        KubeConnection certified =
            KubeConnection.fromKubeconfig(
                workspaces.kubeconfigFor(workspace, directory.resolve("kubeconfig"), user),
                options())) {
      KubeClient client = certified.client();
      assertFails(KubeFailure.Kind.FORBIDDEN, () -> client.find(NAMESPACES, "", "default"));

      workspaces.create(
          workspace,
          """
          apiVersion: rbac.authorization.k8s.io/v1
          kind: ClusterRole
          metadata: {name: certified}
          rules:
          - {nonResourceURLs: ["/"], verbs: [access]}
          - {apiGroups: [""], resources: [namespaces], verbs: [get]}
          ---
          apiVersion: rbac.authorization.k8s.io/v1
          kind: ClusterRoleBinding
          metadata: {name: certified}
          roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: certified}
          subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %s}]
          """
              .formatted(user));

      await()
          .ignoreExceptionsInstanceOf(KubeFailure.class)
          .until(() -> client.find(NAMESPACES, "", "default").isPresent());
      assertFails(KubeFailure.Kind.FORBIDDEN, () -> client.find(SECRETS, "default", "any"));
    }
  }

  @Test
  void entersAnyClusterFromAContextThatNamesNone() {
    try (KubeConnection base =
        KubeConnection.fromKubeconfig(kubeconfig, options().inContext("base"))) {
      assertThat(base.server().getPath()).isEmpty();
      assertThat(base.client(workspace).url()).isEqualTo(connection.client(workspace).url());
      assertThat(base.client(workspace).find(NAMESPACES, "", "default")).isPresent();
    }
  }

  @Test
  void keepsObjectsOfAllClustersApartOnAWildcard() throws Exception {
    requireShard();
    LogicalCluster here = cluster(connection.client(workspace));
    LogicalCluster root = cluster(connection.client(WorkspacePath.ROOT));
    try (KubeConnection admin =
        KubeConnection.fromKubeconfig(kubeconfig, options().inContext("shard-base"))) {
      KubeClient everywhere = admin.client(URI.create(admin.server() + "/clusters/*"));
      var spec = InformerSpec.of(NAMESPACES).withLabels("kubernetes.io/metadata.name=default");
      try (Informer informer = Informer.start(everywhere, spec, _ -> {})) {
        informer.awaitSynced(TestWorkspaces.PATIENCE);

        assertThat(informer.cache().keys())
            .contains(new ObjectKey(here, "", "default"), new ObjectKey(root, "", "default"));
        assertThat(informer.cache().inCluster(here)).hasSize(1);
      }
    }
  }

  @Test
  void findsAnObjectAmongThoseOfAllClusters() throws Exception {
    requireShard();
    KubeClient client = connection.client(workspace);
    LogicalCluster here = cluster(client);
    LogicalCluster root = cluster(connection.client(WorkspacePath.ROOT));
    client.create(
        SECRETS,
        KubeObject.of(
            Map.of(
                "apiVersion", "v1",
                "kind", "Secret",
                "metadata", Map.of("name", "found", "namespace", "default"))));
    try (KubeConnection admin =
        KubeConnection.fromKubeconfig(kubeconfig, options().inContext("shard-base"))) {
      KubeClient everywhere = admin.client(URI.create(admin.server() + "/clusters/*"));
      await().until(() -> shows(everywhere, SECRETS, new ObjectKey(here, "default", "found")));

      assertThat(shows(everywhere, NAMESPACES, new ObjectKey(here, "", "default"))).isTrue();
      assertThat(shows(everywhere, NAMESPACES, new ObjectKey(here, "", "absent"))).isFalse();
      assertThat(shows(everywhere, SECRETS, new ObjectKey(root, "default", "found"))).isFalse();
      assertThat(shows(everywhere, SECRETS, new ObjectKey(here, "other", "found"))).isFalse();
    }
  }

  private static boolean shows(KubeReader everywhere, ResourceType type, ObjectKey key) {
    return WildcardReads.show(everywhere, type, key);
  }

  /** A shard says 404, a front proxy 403. */
  @Test
  void tellsAMissingWorkspaceFromAMissingObject() {
    KubeClient absent = connection.client(workspace.child("absent"));

    assertThatThrownBy(() -> absent.find(NAMESPACES, "", "default"))
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure ->
                assertThat(failure.kind())
                    .isIn(KubeFailure.Kind.NOT_SERVED, KubeFailure.Kind.FORBIDDEN));
  }

  /** Only a shard answers for all logical clusters. */
  private static void requireShard() throws IOException {
    assumeTrue(
        Files.readString(kubeconfig).contains("shard-base"),
        "skipped: the kubeconfig leads to a front proxy (it has no context shard-base)");
  }

  private static LogicalCluster cluster(KubeClient client) {
    return client.find(NAMESPACES, "", "default").flatMap(KubeObject::logicalCluster).orElseThrow();
  }
}
