package dev.mooring.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import dev.mooring.demo.Manifests;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The chart, rendered by Helm's own engine. */
class ChartTest {
  private static final ProjectLayout LAYOUT = ProjectLayout.find();
  private static final Path CHART = LAYOUT.root().resolve("charts/mooring");

  @TempDir Path scratch;

  @Test
  void passesStrictLint() {
    LintResult result = new Helm(CHART).lint().strict().call();

    assertThat(result.isFailed()).as(String.join("\n", result.getMessages())).isFalse();
  }

  @Test
  void rendersEveryServiceWithWhatItNeeds() {
    Map<String, List<String>> kinds = kindsByName(everything());

    assertThat(kinds)
        .containsOnlyKeys(
            "mooring-sync-agent",
            "mooring-sync-agent-management",
            "mooring-dependency-controller",
            "mooring-dependency-controller-management",
            "mooring-dependency-webhook",
            "mooring-dependency-webhook-management",
            "publishedresources.syncagent.kcp.io");
    assertThat(kinds.get("mooring-sync-agent"))
        .containsExactlyInAnyOrder(
            "ConfigMap",
            "ServiceAccount",
            "Deployment",
            "NetworkPolicy",
            "PodDisruptionBudget",
            "Role",
            "RoleBinding",
            "ClusterRole",
            "ClusterRoleBinding");
    assertThat(kinds.get("mooring-dependency-controller"))
        .containsExactlyInAnyOrder(
            "ConfigMap", "ServiceAccount", "Deployment", "NetworkPolicy", "Role", "RoleBinding");
    assertThat(kinds.get("mooring-dependency-webhook"))
        .containsExactlyInAnyOrder(
            "ConfigMap",
            "ServiceAccount",
            "Deployment",
            "Service",
            "NetworkPolicy",
            "PodDisruptionBudget",
            "Certificate",
            "Role",
            "RoleBinding");
  }

  @Test
  void upgradesTheCrdWithTheReleaseAndKeepsItAfterwards() {
    KubeObject crd =
        named(everything(), "CustomResourceDefinition", "publishedresources.syncagent.kcp.io");

    assertThat(crd.at("spec"))
        .isEqualTo(
            Manifests.ofFile(
                    CHART.resolve("service-cluster/publishedresources.syncagent.kcp.io.yaml"))
                .getFirst()
                .at("spec"));
    assertThat(crd.text("metadata", "annotations", "helm.sh/resource-policy")).isEqualTo("keep");
    List<KubeObject> unkept =
        render(
            template()
                .set("syncAgent.apiExportEndpointSlice", "certificates.example.corp")
                .set("crds.keep", "false"));
    assertThat(ofKind(unkept, "CustomResourceDefinition"))
        .singleElement()
        .extracting(object -> object.at("metadata", "annotations"))
        .isNull();
    List<KubeObject> without =
        render(
            template()
                .set("syncAgent.apiExportEndpointSlice", "certificates.example.corp")
                .set("crds.enabled", "false"));
    assertThat(ofKind(without, "CustomResourceDefinition")).isEmpty();
  }

  @Test
  void runsNoContainerWithMoreRightsThanItNeeds() {
    for (KubeObject deployment : ofKind(everything(), "Deployment")) {
      Map<String, Object> pod = deployment.map("spec", "template", "spec");
      assertThat(Trees.at(pod, "securityContext", "runAsNonRoot")).isEqualTo(true);
      Object container = Trees.listOrEmpty(pod.get("containers")).getFirst();
      assertThat(Trees.at(container, "securityContext", "readOnlyRootFilesystem")).isEqualTo(true);
      assertThat(Trees.at(container, "securityContext", "allowPrivilegeEscalation"))
          .isEqualTo(false);
      assertThat(Trees.at(container, "securityContext", "capabilities", "drop"))
          .isEqualTo(List.of("ALL"));
      for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
        assertThat(Trees.textOrEmpty(Trees.at(container, probe, "httpGet", "path")))
            .startsWith("/actuator/health/");
      }
    }
  }

  @Test
  void endsAServiceThatIsOutOfMemoryWhateverItsJavaOptionsAre() {
    List<KubeObject> deployments = ofKind(everything(), "Deployment");

    assertThat(deployments)
        .hasSize(3)
        .allSatisfy(deployment ->
            assertThat(javaOptions(deployment))
                .startsWith("-XX:+ExitOnOutOfMemoryError -XX:MaxRAMPercentage="));
    List<KubeObject> own =
        render(
            template()
                .set("syncAgent.enabled", "false")
                .set("dependencyWebhook.enabled", "true")
                .set("dependencyWebhook.javaOptions", "-Xmx300m"));
    assertThat(javaOptions(named(own, "Deployment", "mooring-dependency-webhook")))
        .isEqualTo("-XX:+ExitOnOutOfMemoryError -Xmx300m");
  }

  private static String javaOptions(KubeObject deployment) {
    Object container =
        Trees.listOrEmpty(deployment.at("spec", "template", "spec", "containers")).getFirst();
    return Trees.listOrEmpty(Trees.at(container, "env")).stream()
        .filter(variable -> "JAVA_TOOL_OPTIONS".equals(Trees.at(variable, "name")))
        .map(variable -> Trees.textOrEmpty(Trees.at(variable, "value")))
        .findFirst()
        .orElse("");
  }

  @Test
  void mountsTheConfigurationThatItRenders() {
    KubeObject config = named(everything(), "ConfigMap", "mooring-sync-agent");

    Object properties = new Yaml().load(config.text("data", "application.yaml"));
    assertThat(Trees.at(properties, "mooring", "sync-agent"))
        .isEqualTo(
            Map.of(
                "kcp-kubeconfig", "/var/run/mooring/kcp/kubeconfig",
                "namespace", "mooring-system",
                "apiexportendpointslice-ref", "certificates.example.corp",
                "agent-name", "certificates",
                "leader-election", true));
    KubeObject deployment = named(everything(), "Deployment", "mooring-sync-agent");
    assertThat(deployment.list("spec", "template", "spec", "volumes"))
        .contains(Map.of("name", "config", "configMap", Map.of("name", "mooring-test-sync-agent")));
  }

  @Test
  void electsALeaderAlsoOfOneReplicaBecauseARolloutRunsTwoPods() {
    TemplateCommand single =
        template()
            .set("syncAgent.apiExportEndpointSlice", "certificates.example.corp")
            .set("dependencyController.enabled", "true")
            .set("dependencyController.webhook.url", "https://webhook.example.org/validate");
    List<KubeObject> objects = render(single);

    for (String service : List.of("sync-agent", "dependency-controller")) {
      KubeObject deployment = named(objects, "Deployment", "mooring-" + service);
      assertThat(deployment.at("spec", "replicas")).isEqualTo(1L);
      assertThat(Trees.at(properties(objects, service), "leader-election"))
          .as(service)
          .isEqualTo(true);
    }
    assertThat(grants(named(objects, "Role", "mooring-sync-agent")))
        .contains(
            "coordination.k8s.io/leases: get",
            "coordination.k8s.io/leases: create",
            "coordination.k8s.io/leases: update");
    assertThat(
            Trees.at(
                properties(
                    render(single.set("syncAgent.config.leader-election", "false")), "sync-agent"),
                "leader-election"))
        .isEqualTo(false);
  }

  @Test
  void rendersWhatTheInstallationGuideSetsWithTheImagesThatItBuilds() throws IOException {
    String guide = Files.readString(LAYOUT.file("docs/operating/installing.md"));
    List<String> installs =
        Pattern.compile("helm install (?:.*\\\\\n)*.*")
            .matcher(guide)
            .results()
            .map(MatchResult::group)
            .toList();

    assertThat(installs).hasSize(2);
    var images = new TreeSet<String>();
    for (String install : installs) {
      assertThat(install).contains("charts/mooring -n mooring-system --create-namespace");
      TemplateCommand command = template();
      Pattern.compile("--set '?([^=\\s]+)=([^\\s']+)")
          .matcher(install)
          .results()
          .forEach(value -> set(command, value.group(1), value.group(2)));
      for (KubeObject deployment : ofKind(render(command), "Deployment")) {
        Object container =
            Trees.listOrEmpty(deployment.at("spec", "template", "spec", "containers")).getFirst();
        images.add(Trees.textOrEmpty(Trees.at(container, "image")));
        for (Object volume : deployment.list("spec", "template", "spec", "volumes")) {
          String secret = Trees.textOrEmpty(Trees.at(volume, "secret", "secretName"));
          assertThat(secret.isEmpty() || guide.contains("create secret generic " + secret + " "))
              .as(secret)
              .isTrue();
        }
      }
    }
    assertThat(guide).contains("REGISTRY=registry.example.org TAG=0.1.0");
    assertThat(images)
        .containsExactly(
            "registry.example.org/mooring/dependency-controller:0.1.0",
            "registry.example.org/mooring/dependency-webhook:0.1.0",
            "registry.example.org/mooring/sync-agent:0.1.0");
    assertThat(guide.indexOf("kubectl create namespace mooring-system"))
        .isPositive()
        .isLessThan(guide.indexOf("kubectl -n mooring-system create secret"));
  }

  /** As Helm's command line reads it: {@code {a}} is a list, which this library takes literally. */
  private static void set(TemplateCommand command, String field, String value) {
    if (value.startsWith("{")) {
      command.set(field + "[0]", value.substring(1, value.length() - 1));
    } else {
      command.set(field, value);
    }
  }

  @Test
  void mountsNoCertificateWhereTheControllerIsTheAuthority() {
    List<KubeObject> objects =
        render(
            template()
                .set("syncAgent.enabled", "false")
                .set("dependencyController.enabled", "true")
                .set("dependencyController.webhook.url", "https://webhook.example.org/validate")
                .set("dependencyController.webhook.selfManagedCa", "true")
                .set("dependencyWebhook.enabled", "true")
                .set("dependencyWebhook.tls.selfManaged", "true")
                .set("dependencyWebhook.rulesSilenceMax", "80s")
                .set("dependencyWebhook.index.silenceMax", "90s"));

    assertThat(properties(objects, "dependency-controller"))
        .isEqualTo(
            Map.of(
                "kubeconfig", "/var/run/mooring/kcp/kubeconfig",
                "webhook-url", "https://webhook.example.org/validate",
                "webhook-ca", "SELF_MANAGED",
                "webhook-rules-silence-max", "80s",
                "webhook-index-silence-max", "90s",
                "leader-election", true));
    assertThat(properties(objects, "dependency-webhook"))
        .isEqualTo(
            Map.of(
                "kubeconfig", "/var/run/mooring/kcp/kubeconfig",
                "certificate", "SELF_MANAGED",
                "rules-silence-max", "80s",
                "index",
                    Map.of(
                        "silence-max",
                        "90s",
                        "idle-max",
                        "10m",
                        "indexes-max",
                        1000,
                        "objects-max",
                        25000,
                        "total-objects-max",
                        50000)));
    for (KubeObject deployment : ofKind(objects, "Deployment")) {
      assertThat(deployment.list("spec", "template", "spec", "volumes"))
          .extracting(volume -> Trees.at(volume, "name"))
          .containsExactlyInAnyOrder("config", "kcp", "tmp");
    }
  }

  @Test
  void tellsTheControllerForHowLongTheWebhookGoesByItsRulesHoweverThatWasSet() {
    List<KubeObject> objects =
        render(
            template()
                .set("syncAgent.enabled", "false")
                .set("dependencyController.enabled", "true")
                .set("dependencyController.webhook.url", "https://webhook.example.org/validate")
                .set("dependencyWebhook.enabled", "true")
                .set("dependencyWebhook.config.rules-silence-max", "10m"));

    assertThat(Trees.at(properties(objects, "dependency-webhook"), "rules-silence-max"))
        .isEqualTo("10m");
    assertThat(Trees.at(properties(objects, "dependency-controller"), "webhook-rules-silence-max"))
        .isEqualTo("10m");
  }

  @Test
  void tellsTheControllerHowFarTheWebhooksIndexesMayBeBehindHoweverThatWasSet() {
    List<KubeObject> objects =
        render(
            template()
                .set("syncAgent.enabled", "false")
                .set("dependencyController.enabled", "true")
                .set("dependencyController.webhook.url", "https://webhook.example.org/validate")
                .set("dependencyWebhook.enabled", "true")
                .set("dependencyWebhook.config.index.silence-max", "5m"));

    assertThat(Trees.at(properties(objects, "dependency-webhook"), "index", "silence-max"))
        .isEqualTo("5m");
    assertThat(Trees.at(properties(objects, "dependency-webhook"), "index", "idle-max"))
        .isEqualTo("10m");
    assertThat(Trees.at(properties(objects, "dependency-controller"), "webhook-index-silence-max"))
        .isEqualTo("5m");
  }

  @Test
  void letsOnlyThoseSendReviewsWhomItIsToldOf() {
    List<KubeObject> objects =
        render(
            template()
                .set("syncAgent.enabled", "false")
                .set("dependencyWebhook.enabled", "true")
                .set("dependencyWebhook.tls.clientCa.secret", "kcp-clients")
                .set("dependencyWebhook.service.type", "LoadBalancer")
                .set("dependencyWebhook.service.loadBalancerSourceRanges[0]", "203.0.113.0/28")
                .set("networkPolicy.admissionFrom[0].ipBlock.cidr", "203.0.113.0/28"));

    KubeObject config = named(objects, "ConfigMap", "mooring-dependency-webhook");
    Object properties = new Yaml().load(config.text("data", "application.yaml"));
    assertThat(Trees.at(properties, "server", "ssl", "client-auth")).isEqualTo("need");
    assertThat(
            Trees.at(
                properties,
                "spring",
                "ssl",
                "bundle",
                "pem",
                "webhook",
                "truststore",
                "certificate"))
        .isEqualTo("file:/var/run/mooring/webhook-clients/ca.crt");
    assertThat(
            named(objects, "Deployment", "mooring-dependency-webhook")
                .list("spec", "template", "spec", "volumes"))
        .contains(
            Map.of(
                "name",
                "webhook-clients",
                "secret",
                Map.of(
                    "secretName",
                    "kcp-clients",
                    "defaultMode",
                    288L,
                    "items",
                    List.of(Map.of("key", "ca.crt", "path", "ca.crt")))));
    assertThat(
            named(objects, "NetworkPolicy", "mooring-dependency-webhook").list("spec", "ingress"))
        .first()
        .extracting(rule -> Trees.at(rule, "from"))
        .isEqualTo(List.of(Map.of("ipBlock", Map.of("cidr", "203.0.113.0/28"))));
    assertThat(
            named(objects, "Service", "mooring-dependency-webhook")
                .list("spec", "loadBalancerSourceRanges"))
        .containsExactly("203.0.113.0/28");
  }

  private static Object properties(List<KubeObject> objects, String service) {
    KubeObject config = named(objects, "ConfigMap", "mooring-" + service);
    return Trees.at(new Yaml().load(config.text("data", "application.yaml")), "mooring", service);
  }

  @Test
  void grantsTheAgentExactlyThePublishedTypes() {
    KubeObject role = named(everything(), "ClusterRole", "mooring-sync-agent");

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
  void grantsTheAgentWhatTheManifestForHandInstallationsGrants() {
    List<KubeObject> chart =
        render(
            template()
                .set("syncAgent.apiExportEndpointSlice", "certificates.example.corp")
                .set("syncAgent.rbac.published[0].apiGroups[0]", "pki.example.corp")
                .set("syncAgent.rbac.published[0].resources[0]", "certificates")
                .set("syncAgent.rbac.related[0].apiGroups[0]", "")
                .set("syncAgent.rbac.related[0].resources[0]", "secrets"));
    List<KubeObject> byHand =
        Manifests.ofFile(LAYOUT.file("docs/operating/sync-agent-service-cluster-rbac.yaml"));

    assertThat(grants(named(chart, "ClusterRole", "mooring-sync-agent")))
        .isEqualTo(grants(named(byHand, "ClusterRole", "sync-agent")));
    assertThat(grants(named(chart, "Role", "mooring-sync-agent")))
        .isEqualTo(grants(named(byHand, "Role", "sync-agent")));
  }

  @Test
  void grantsTheAgentWhatSomeFeaturesNeedOnlyWhereTheyAreSwitchedOn() {
    TemplateCommand plain =
        template().set("syncAgent.apiExportEndpointSlice", "certificates.example.corp");
    Set<String> without = grants(named(render(plain), "ClusterRole", "mooring-sync-agent"));
    TemplateCommand full =
        template()
            .set("syncAgent.apiExportEndpointSlice", "certificates.example.corp")
            .set("syncAgent.rbac.cleanupNamespaces", "true")
            .set("syncAgent.rbac.relatedStatus[0].apiGroups[0]", "pki.example.corp")
            .set("syncAgent.rbac.relatedStatus[0].resources[0]", "requests");
    var more = new TreeSet<>(grants(named(render(full), "ClusterRole", "mooring-sync-agent")));
    more.removeAll(without);

    var byHand = new TreeSet<String>();
    Manifests.ofFile(LAYOUT.file("docs/operating/sync-agent-service-cluster-rbac-options.yaml"))
        .forEach(object -> byHand.addAll(grants(object)));
    assertThat(more).isEqualTo(byHand);
  }

  @Test
  void grantsTheWebhookTheTypesThatRulesNameAndNoOthers() {
    List<KubeObject> objects =
        render(
            template()
                .set("syncAgent.enabled", "false")
                .set("kcpManifests.render", "true")
                .set("kcpManifests.dependents[0].apiGroups[0]", "compute.example.corp")
                .set("kcpManifests.dependents[0].resources[0]", "virtualmachines")
                .set("kcpManifests.racedTargets[0].apiGroups[0]", "network.example.corp")
                .set("kcpManifests.racedTargets[0].resources[0]", "vpcs"));

    assertThat(grants(named(objects, "ClusterRole", "dependency-webhook")))
        .containsExactlyInAnyOrder(
            "apis.kcp.io/apibindings: get",
            "apis.kcp.io/apibindings: list",
            "apis.kcp.io/apiexports: get",
            "apis.kcp.io/apiexports: list",
            "core.kcp.io/logicalclusters: get",
            "compute.example.corp/virtualmachines: get",
            "compute.example.corp/virtualmachines: list",
            "compute.example.corp/virtualmachines: watch",
            "network.example.corp/vpcs: get",
            "network.example.corp/vpcs: list",
            "/events: create",
            "/events: patch",
            "authorization.k8s.io/subjectaccessreviews: create");
    assertThat(named(objects, "ClusterRoleBinding", "dependency-webhook").list("subjects"))
        .extracting(subject -> Trees.at(subject, "name"))
        .containsExactly("mooring:dependency-webhook");
  }

  /** Of a role: every group, resource and verb. */
  private static Set<String> grants(KubeObject role) {
    var grants = new TreeSet<String>();
    for (Object rule : role.list("rules")) {
      for (Object group : Trees.listOrEmpty(Trees.at(rule, "apiGroups"))) {
        for (Object resource : Trees.listOrEmpty(Trees.at(rule, "resources"))) {
          for (Object verb : Trees.listOrEmpty(Trees.at(rule, "verbs"))) {
            grants.add(group + "/" + resource + ": " + verb);
          }
        }
      }
    }
    return grants;
  }

  @Test
  void rendersOnlyWhatIsSwitchedOn() {
    List<KubeObject> objects =
        render(
            template().set("syncAgent.enabled", "false").set("dependencyWebhook.enabled", "true"));

    assertThat(kindsByName(objects).keySet())
        .containsExactlyInAnyOrder(
            "mooring-dependency-webhook", "mooring-dependency-webhook-management");
  }

  @Test
  void saysWhichValueIsMissing() {
    assertThatThrownBy(() -> template().call())
        .hasMessageContaining("syncAgent.apiExportEndpointSlice");
  }

  @Test
  void refusesValuesThatItDoesNotKnow() {
    assertThatThrownBy(() -> template().set("syncAgent.replica", "2").call())
        .hasMessageContaining("replica");
    assertThatThrownBy(() ->
            template()
                .set("dependencyController.webhook.url", "http://plain.example.org/validate")
                .call())
        .hasMessageContaining("url");
  }

  private List<KubeObject> everything() {
    return render(
        template()
            .withValuesFile(LAYOUT.file("acceptance-tests/src/test/resources/everything.yaml")));
  }

  private TemplateCommand template() {
    return new Helm(CHART).template().withName("mooring-test").withNamespace("mooring-system");
  }

  private List<KubeObject> render(TemplateCommand command) {
    try {
      Path rendered = Files.createTempFile(scratch, "rendered", ".yaml");
      Files.writeString(rendered, command.call());
      return Manifests.ofFile(rendered);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static Map<String, List<String>> kindsByName(List<KubeObject> objects) {
    return objects.stream()
        .collect(
            Collectors.groupingBy(
                ChartTest::nameWithoutRelease,
                Collectors.mapping(KubeObject::kind, Collectors.toList())));
  }

  private static String nameWithoutRelease(KubeObject object) {
    return object.name().replaceFirst("^mooring-test-", "mooring-");
  }

  private static List<KubeObject> ofKind(List<KubeObject> objects, String kind) {
    return objects.stream().filter(object -> object.kind().equals(kind)).toList();
  }

  private static KubeObject named(List<KubeObject> objects, String kind, String name) {
    return ofKind(objects, kind).stream()
        .filter(object -> nameWithoutRelease(object).equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
  }
}
