package dev.mooring.acceptance;

import static dev.mooring.acceptance.Chart.clusterRole;
import static dev.mooring.acceptance.Chart.grants;
import static dev.mooring.acceptance.Chart.named;
import static dev.mooring.acceptance.Chart.properties;
import static dev.mooring.acceptance.Chart.render;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.Manifests;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the sync agent may do in its cluster, and several of them in one release. */
class ChartAgentTest {
  private static final String AGENT =
      "syncAgent: {apiExportEndpointSlice: certificates.example.corp}";
  private static final String TWO_AGENTS =
      """
      syncAgent:
        replicas: 2
        rbac: {published: [{apiGroups: [pki.example.corp], resources: [certificates]}]}
      syncAgents:
        certificates:
          apiExportEndpointSlice: certificates.example.corp
          publishedResourceSelector: api=certificates
        databases:
          replicas: 1
          apiExportEndpointSlice: databases.example.corp
          publishedResourceSelector: api=databases
          kcp: {kubeconfigSecret: databases-kcp-kubeconfig}
          rbac: {published: [{apiGroups: [db.example.corp], resources: [databases]}]}
      """;

  @Test
  void grantsTheAgentExactlyThePublishedTypes() {
    KubeObject role =
        clusterRole(
            render(
                AGENT,
                """
                syncAgent:
                  rbac: {published: [{apiGroups: [cert-manager.io], resources: [certificates]}]}
                """),
            "sync-agent");

    assertThat(role.list("rules"))
        .contains(
            Map.of(
                "apiGroups", List.of("cert-manager.io"),
                "resources", List.of("certificates"),
                "verbs", List.of("get", "list", "watch", "create", "patch", "delete")));
    assertThat(role.list("rules"))
        .allSatisfy(
            rule -> assertThat(Trees.listOrEmpty(Trees.at(rule, "resources"))).doesNotContain("*"));
  }

  @Test
  void tellsTheAgentWhoWritesSchemasAndExport() {
    List<KubeObject> external = render(AGENT, "syncAgent: {publishing: External}");

    assertThat(Trees.at(properties(render(AGENT), "sync-agent"), "publishing")).isNull();
    assertThat(Trees.at(properties(external, "sync-agent"), "publishing")).isEqualTo("EXTERNAL");
  }

  @Test
  void grantsTheAgentNoSecretOfTheClusterUntilItIsNamed() {
    List<KubeObject> objects = render(AGENT);

    assertThat(grants(clusterRole(objects, "sync-agent")))
        .noneMatch(grant -> grant.contains("secrets") || grant.contains("configmaps"));
    assertThat(grants(named(objects, "Role", "sync-agent"))).contains("/secrets: get");
  }

  @Test
  void grantsTheAgentWhatTheManifestForHandInstallationsGrants() {
    List<KubeObject> chart =
        render(
            AGENT,
            """
            syncAgent:
              rbac:
                published: [{apiGroups: [pki.example.corp], resources: [certificates]}]
                related: [{apiGroups: [""], resources: [secrets]}]
            """);
    List<KubeObject> byHand =
        Manifests.ofFile(Chart.LAYOUT.file("charts/mooring/service-cluster/rbac-agent.yaml"));

    assertThat(grants(clusterRole(chart, "sync-agent")))
        .isEqualTo(grants(named(byHand, "ClusterRole", "sync-agent")));
    assertThat(grants(named(chart, "Role", "sync-agent")))
        .isEqualTo(grants(named(byHand, "Role", "sync-agent")));
  }

  @Test
  void grantsTheAgentWhatSomeFeaturesNeedOnlyWhereTheyAreSwitchedOn() {
    Set<String> without = agentsGrants(render(AGENT));
    Set<String> more =
        agentsGrants(
            render(
                AGENT,
                """
                syncAgent:
                  replicaMode: Sharing
                  rbac:
                    cleanupNamespaces: true
                    relatedStatus: [{apiGroups: [pki.example.corp], resources: [requests]}]
                """));
    more.removeAll(without);

    var byHand = new TreeSet<String>();
    Manifests.ofFile(Chart.LAYOUT.file("charts/mooring/service-cluster/rbac-agent-options.yaml"))
        .forEach(object -> byHand.addAll(grants(object)));
    assertThat(more).isEqualTo(byHand);
  }

  @Test
  void replicasShareTheWorkIfTheValuesSaySo() {
    Object sharing =
        properties(render(AGENT, "syncAgent: {replicas: 3, replicaMode: Sharing}"), "sync-agent");
    Object usual = properties(render(AGENT), "sync-agent");

    assertThat(Trees.at(sharing, "replica-mode")).isEqualTo("SHARING");
    assertThat(Trees.at(sharing, "leader-election")).isEqualTo(true);
    assertThat(Trees.at(usual, "replica-mode")).isNull();
  }

  private static Set<String> agentsGrants(List<KubeObject> chart) {
    var grants = new TreeSet<>(grants(clusterRole(chart, "sync-agent")));
    grants.addAll(grants(named(chart, "Role", "sync-agent")));
    return grants;
  }

  @Test
  void namesClusterRolesForTheNamespaceSoThatTwoReleasesOfOneNameDoNotMeet() {
    List<KubeObject> objects = render(AGENT);

    KubeObject binding =
        named(objects, "ClusterRoleBinding", "mooring-system:mooring-test-sync-agent");
    assertThat(binding.text("roleRef", "name")).isEqualTo("mooring-system:mooring-test-sync-agent");
    assertThat(clusterRole(objects, "sync-agent").name())
        .isEqualTo(binding.text("roleRef", "name"));
    assertThat(Trees.at(binding.list("subjects").getFirst(), "namespace"))
        .isEqualTo("mooring-system");
  }

  @Test
  void runsSeveralAgentsInOneReleaseEachWithWhatItHasOtherThanTheRest() {
    List<KubeObject> objects = render(TWO_AGENTS);

    assertThat(Chart.ofKind(objects, "Deployment"))
        .extracting(KubeObject::name)
        .containsExactlyInAnyOrder(
            "mooring-test-sync-agent-certificates", "mooring-test-sync-agent-databases");
    assertThat(properties(objects, "sync-agent-databases", "sync-agent"))
        .isEqualTo(
            Map.of(
                "kcp-kubeconfig", "/var/run/mooring/kcp/kubeconfig",
                "namespace", "mooring-system",
                "apiexportendpointslice-ref", "databases.example.corp",
                "published-resource-selector", "api=databases",
                "leader-election", true));
    assertThat(kubeconfigSecret(objects, "sync-agent-certificates"))
        .isEqualTo("sync-agent-kcp-kubeconfig");
    assertThat(kubeconfigSecret(objects, "sync-agent-databases"))
        .isEqualTo("databases-kcp-kubeconfig");
    assertThat(Chart.deployment(objects, "sync-agent-certificates").at("spec", "replicas"))
        .isEqualTo(2L);
    assertThat(Chart.deployment(objects, "sync-agent-databases").at("spec", "replicas"))
        .isEqualTo(1L);
    assertThat(grants(clusterRole(objects, "sync-agent-databases")))
        .contains("db.example.corp/databases: patch")
        .noneMatch(grant -> grant.startsWith("pki.example.corp/"));
  }

  @Test
  void selectsThePodsOfOneAgentAlone() {
    List<KubeObject> objects = render(TWO_AGENTS);

    for (KubeObject service : Chart.ofKind(objects, "Service")) {
      Map<String, Object> selector = Trees.mapOrEmpty(service.at("spec", "selector"));
      assertThat(Chart.ofKind(objects, "Deployment"))
          .filteredOn(deployment ->
              Trees.mapOrEmpty(deployment.at("spec", "template", "metadata", "labels"))
                  .entrySet()
                  .containsAll(selector.entrySet()))
          .extracting(KubeObject::name)
          .containsExactly(service.name().replace("-management", ""));
    }
  }

  private static Object kubeconfigSecret(List<KubeObject> objects, String service) {
    return Chart.deployment(objects, service).list("spec", "template", "spec", "volumes").stream()
        .filter(volume -> "kcp".equals(Trees.at(volume, "name")))
        .map(volume -> Trees.at(volume, "secret", "secretName"))
        .findFirst()
        .orElseThrow();
  }
}
