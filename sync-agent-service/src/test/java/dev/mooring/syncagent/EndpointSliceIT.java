package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.agent.SyncAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Endpoint slices that are not the one that kcp makes for an APIExport. */
class EndpointSliceIT {
  private static final ResourceType SLICES =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices");
  private static final ResourceType ROLES =
      new ResourceType("rbac.authorization.k8s.io", "v1", "clusterroles");
  private static final ResourceType ROLE_BINDINGS =
      new ResourceType("rbac.authorization.k8s.io", "v1", "clusterrolebindings");

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  @Test
  void worksWithASliceOfAnotherNameInTheExportsWorkspace() {
    slice(clusters.provider(), "renamed");
    var certificates = new Certificates(clusters, "consumer-1");
    try (ConfigurableApplicationContext _ = agent("renamed", clusters.kcpKubeconfig())) {
      certificates.order("same-workspace");
      certificates.copy("same-workspace");
    }
  }

  @Test
  void worksWithASliceInAnotherWorkspaceAndNoMoreRightsThanItNeeds() throws IOException {
    clusters.createWorkspace("endpoints");
    KubeClient endpoints = clusters.consumer("endpoints");
    slice(endpoints, "elsewhere");
    permit(
        endpoints,
        """
        - {nonResourceURLs: ["/"], verbs: [access]}
        - {apiGroups: [apis.kcp.io], resources: [apiexportendpointslices], verbs: [get, list, watch]}
        """);
    permit(
        clusters.provider(),
        """
        - {nonResourceURLs: ["/"], verbs: [access]}
        - apiGroups: [apis.kcp.io]
          resources: [apiexports]
          resourceNames: [certs]
          verbs: [get, list, watch, patch, update]
        - {apiGroups: [apis.kcp.io], resources: [apiresourceschemas], verbs: [get, list, watch, create]}
        - {apiGroups: [""], resources: [events], verbs: [get, create, patch, update]}
        - apiGroups: [apis.kcp.io]
          resources: [apiexports/content]
          resourceNames: [certs]
          verbs: ["*"]
        """);
    Path kubeconfig =
        Files.writeString(
            clusters.directory().resolve("endpoints.kubeconfig"),
            Files.readString(clusters.kcpKubeconfig())
                .replace("/clusters/root:provider", "/clusters/root:endpoints")
                .replaceAll("token: .*", "token: " + TwoClusters.AGENT_TOKEN));
    var certificates = new Certificates(clusters, "consumer-2");

    try (ConfigurableApplicationContext _ = agent("elsewhere", kubeconfig)) {
      certificates.order("other-workspace");
      certificates.report(certificates.copy("other-workspace"), "Issued");
      certificates.awaitPhase("other-workspace", "Issued");
    }
  }

  @Test
  void reachesTheVirtualWorkspaceByAnotherHostThanTheSliceNames() throws IOException {
    int port = clusters.kcpServer().url().getPort();
    var certificates = new Certificates(clusters, "consumer-1");
    try (var gate = new Gate(port);
        ConfigurableApplicationContext running =
            AgentStart.between(clusters)
                .startByFlags(
                    "--mooring.sync-agent.endpoint-host-override=127.0.0.1:"
                        + port
                        + "=localhost:"
                        + gate.port())) {
      SyncAgent agent = running.getBean(SyncAgent.class);
      certificates.order("overridden");
      certificates.copy("overridden");
      assertThat(agent.describe().get("endpoints").toString())
          .contains("https://localhost:" + gate.port() + "/services/apiexport/");

      // Only what goes to the virtual workspace goes this way.
      gate.shut();
      AgentStart.awaitReason(agent, "certificates: ");
      gate.open();
      AgentStart.awaitReady(agent);
    }
  }

  private static void slice(KubeClient workspace, String name) {
    workspace.create(
        SLICES,
        object(
            """
            apiVersion: apis.kcp.io/v1alpha1
            kind: APIExportEndpointSlice
            metadata:
              name: %s
            spec:
              export:
                path: root:provider
                name: certs
            """,
            name));
    clusters.eventually(
        workspace,
        SLICES,
        "",
        name,
        slice -> assertThat(slice.list("status", "endpoints")).isNotEmpty());
  }

  private static void permit(KubeClient workspace, String rules) {
    workspace.create(
        ROLES,
        object(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: agent
            rules:
            %s
            """,
            rules));
    workspace.create(
        ROLE_BINDINGS,
        object(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata:
              name: agent
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: agent}
            subjects:
            - {apiGroup: rbac.authorization.k8s.io, kind: User, name: %s}
            """,
            TwoClusters.AGENT_USER));
  }

  private static ConfigurableApplicationContext agent(String slice, Path kcpKubeconfig) {
    return AgentStart.between(clusters).toKcp(kcpKubeconfig).following(slice).startByFlags();
  }
}
