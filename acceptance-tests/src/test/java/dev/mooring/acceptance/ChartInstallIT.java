package dev.mooring.acceptance;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import com.marcnuri.helm.UpgradeCommand;
import dev.mooring.harness.Manifests;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.kube.KubeOptions;
import dev.mooring.sandbox.kube.KubeSandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Helm, connected to a kcp and to a cluster. */
class ChartInstallIT {
  private static final ResourceType EXPORTS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apiexports");
  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");
  private static final ResourceType ROLES =
      new ResourceType("rbac.authorization.k8s.io", "v1", "clusterroles");
  private static final ResourceType CRDS =
      new ResourceType("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  private static final String EXPORT = "dependencies.opendefense.cloud";

  @TempDir Path directory;

  @Test
  void installsInKcpWhatBelongsThereAndNoServices() {
    inWorkspace((dependencies, kubeconfig, client) -> {
      assertThatThrownBy(() -> services(kubeconfig).call())
          .hasMessageContaining(
              "this server is a kcp workspace, which runs no pods: use the kubeconfig of a cluster,"
                  + " or set kcpManifests.place");
      atDependencies(dependencies, kubeconfig).call();

      assertThat(client.find(ROLES, "", "dependency-protection")).isPresent();
      assertThat(client.find(BINDINGS, "", EXPORT))
          .as("bound after the export was made")
          .isPresent();
      assertThat(client.find(EXPORTS, "", EXPORT)).isPresent();
    });
  }

  /** The workspace's rules are deleted with the binding. */
  @Test
  void keepsTheBindingAndItsRulesWhenTheReleaseChangesOrIsRemoved() {
    inWorkspace((dependencies, kubeconfig, client) -> {
      atDependencies(dependencies, kubeconfig).call();
      String binding = uidOfBinding(client);
      awaitBound(client);

      for (String user : List.of("a", "b")) {
        new Helm(Chart.DIRECTORY)
            .upgrade()
            .withName(Chart.RELEASE)
            .withNamespace("default")
            .withKubeConfig(kubeconfig)
            .set("kcpManifests.place", "dependency-workspace")
            .set("kcpManifests.dependencyWorkspace", dependencies.value())
            .set("kcpManifests.users.dependencyWebhook", user)
            .call();
        assertThat(uidOfBinding(client)).as("after an upgrade").isEqualTo(binding);
      }
      Helm.uninstall(Chart.RELEASE).withNamespace("default").withKubeConfig(kubeconfig).call();
      assertThat(uidOfBinding(client)).as("after the end of the release").isEqualTo(binding);
      assertThat(client.find(ROLES, "", "dependency-protection")).isEmpty();
      atDependencies(dependencies, kubeconfig).call();
      assertThat(uidOfBinding(client)).as("after another installation").isEqualTo(binding);
    });
  }

  private static InstallCommand atDependencies(WorkspacePath dependencies, Path kubeconfig) {
    return at("dependency-workspace", kubeconfig)
        .set("kcpManifests.dependencyWorkspace", dependencies.value());
  }

  private static String uidOfBinding(KubeClient client) {
    return client.find(BINDINGS, "", EXPORT).orElseThrow().uid();
  }

  private static void awaitBound(KubeClient client) {
    await()
        .untilAsserted(() ->
            assertThat(client.find(BINDINGS, "", EXPORT).orElseThrow().text("status", "phase"))
                .isEqualTo("Bound"));
  }

  /** As docs/how-to/upgrade.md says; --reuse-values leaves out values that are new. */
  @Test
  void upgradesAReleaseOfAnEarlierChartThatHadFewerValues() throws IOException {
    Path earlier = Files.createDirectories(directory.resolve("earlier/templates")).getParent();
    Files.copy(Chart.DIRECTORY.resolve("Chart.yaml"), earlier.resolve("Chart.yaml"));
    Files.writeString(earlier.resolve("values.yaml"), "kcpManifests: {place: ''}");
    Files.writeString(
        earlier.resolve("templates/all.yaml"),
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: earlier}}");
    inWorkspace((_, kubeconfig, client) -> {
      new Helm(earlier)
          .install()
          .withName(Chart.RELEASE)
          .withNamespace("default")
          .withKubeConfig(kubeconfig)
          .set("kcpManifests.place", "parent-workspace")
          .call();

      upgrade(kubeconfig).call();

      assertThat(client.find(ROLES, "", "dependency-workspace-resolution")).isPresent();
    });
    assertThat(Files.readString(Chart.LAYOUT.file("docs/how-to/upgrade.md")))
        .contains("--reset-then-reuse-values")
        .doesNotContain(" --reuse-values");
  }

  @Test
  void refusesRolesForKcpInAClusterAndACrdThatBelongsToNoRelease() {
    inCluster((kubeconfig, client) -> {
      assertThatThrownBy(() -> at("shard", kubeconfig).call())
          .hasMessageContaining(
              "kcpManifests.place is shard, and this server is no kcp workspace: it does not serve"
                  + " core.kcp.io");
      client.create(
          CRDS,
          Manifests.ofFile(
                  Chart.DIRECTORY.resolve(
                      "service-cluster/publishedresources.syncagent.kcp.io.yaml"))
              .getFirst());
      assertThatThrownBy(() -> services(kubeconfig).call())
          .hasMessageContaining(
              "the CustomResourceDefinition publishedresources.syncagent.kcp.io is there and belongs"
                  + " to no release: set crds.enabled to false")
          .hasMessageContaining("kubectl annotate crd publishedresources.syncagent.kcp.io");
    });
  }

  @Test
  void installsAllServicesInACluster() {
    inCluster((kubeconfig, client) -> {
      services(kubeconfig)
          .set("image.registry", "registry.example.org")
          .set("dependencyController.enabled", "true")
          .set("dependencyController.webhook.url", "https://admission.example.org/validate")
          .set("dependencyWebhook.enabled", "true")
          .set("networkPolicy.admissionFrom[0].ipBlock.cidr", "203.0.113.0/28")
          .call();

      List<ResourceType> kinds =
          List.of(
              new ResourceType("apps", "v1", "deployments"),
              new ResourceType("networking.k8s.io", "v1", "networkpolicies"),
              new ResourceType("policy", "v1", "poddisruptionbudgets"),
              ResourceType.core("services"));
      for (ResourceType kind : kinds) {
        assertThat(client.list(kind, ListQuery.ALL).items()).as(kind.resource()).isNotEmpty();
      }
      assertThatCode(() ->
              Helm.uninstall(Chart.RELEASE)
                  .withNamespace("default")
                  .withKubeConfig(kubeconfig)
                  .call())
          .doesNotThrowAnyException();
    });
  }

  @Test
  void keepsItsCertificateOverUpgradesUntilTheHostChanges() {
    inCluster((kubeconfig, client) -> {
      install(kubeconfig)
          .set("image.registry", "registry.example.org")
          .set("syncAgent.enabled", "false")
          .set("dependencyController.webhook.url", "https://admission.example.org/validate")
          .set("dependencyWebhook.enabled", "true")
          .set("dependencyWebhook.tls.generate", "true")
          .call();
      Map<String, Object> made = certificate(client);
      assertThat(made).containsOnlyKeys("tls.crt", "tls.key", "ca.crt");

      upgrade(kubeconfig).set("dependencyController.enabled", "true").call();
      assertThat(certificate(client)).isEqualTo(made);

      upgrade(kubeconfig)
          .set("dependencyController.webhook.url", "https://203.0.113.7/validate")
          .call();
      assertThat(certificate(client))
          .allSatisfy((key, value) -> assertThat(value).isNotEqualTo(made.get(key)));
    });
  }

  private interface InWorkspace {
    void accept(WorkspacePath path, Path kubeconfig, KubeClient client);
  }

  private void inWorkspace(InWorkspace test) {
    try (KcpSandbox kcp = KcpSandbox.start(ServerOptions.in(directory).withPort(0));
        TestWorkspaces workspaces = TestWorkspaces.on(kcp.kubeconfigFile())) {
      WorkspacePath path = workspaces.create("chart");
      test.accept(
          path,
          workspaces.kubeconfigFor(path, directory.resolve("workspace.kubeconfig")),
          workspaces.client(path));
    }
  }

  private void inCluster(BiConsumer<Path, KubeClient> test) {
    try (KubeSandbox cluster = KubeSandbox.start(KubeOptions.in(directory));
        var connection =
            KubeConnection.fromKubeconfig(
                cluster.kubeconfigFile(), ConnectionOptions.of("chart-install"))) {
      test.accept(cluster.kubeconfigFile(), connection.client());
    }
  }

  private static Map<String, Object> certificate(KubeClient client) {
    return client
        .find(ResourceType.core("secrets"), "default", "dependency-webhook-tls")
        .orElseThrow()
        .map("data");
  }

  private static UpgradeCommand upgrade(Path kubeconfig) {
    return new Helm(Chart.DIRECTORY)
        .upgrade()
        .withName(Chart.RELEASE)
        .withNamespace("default")
        .withKubeConfig(kubeconfig)
        .resetThenReuseValues();
  }

  private static InstallCommand at(String place, Path kubeconfig) {
    return install(kubeconfig).set("kcpManifests.place", place);
  }

  private static InstallCommand services(Path kubeconfig) {
    return install(kubeconfig).set("syncAgent.apiExportEndpointSlice", "certificates.example.corp");
  }

  private static InstallCommand install(Path kubeconfig) {
    return new Helm(Chart.DIRECTORY)
        .install()
        .withName(Chart.RELEASE)
        .withNamespace("default")
        .withKubeConfig(kubeconfig);
  }
}
