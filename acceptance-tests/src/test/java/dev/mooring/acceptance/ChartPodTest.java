package dev.mooring.acceptance;

import static dev.mooring.acceptance.Chart.container;
import static dev.mooring.acceptance.Chart.deployment;
import static dev.mooring.acceptance.Chart.ofKind;
import static dev.mooring.acceptance.Chart.render;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The pods of the services, and what an operator may say of them. */
class ChartPodTest {
  @Test
  void runsNoContainerWithMoreRightsThanItNeeds() {
    for (KubeObject deployment : ofKind(render(Chart.ALL_SERVICES), "Deployment")) {
      assertThat(pod(deployment, "securityContext", "runAsNonRoot")).isEqualTo(true);
      Object container = container(deployment);
      assertThat(Trees.at(container, "securityContext", "readOnlyRootFilesystem")).isEqualTo(true);
      assertThat(Trees.at(container, "securityContext", "allowPrivilegeEscalation"))
          .isEqualTo(false);
      assertThat(Trees.at(container, "securityContext", "capabilities", "drop"))
          .isEqualTo(List.of("ALL"));
      for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
        assertThat(Trees.textOrEmpty(Trees.at(container, probe, "httpGet", "path")))
            .startsWith("/actuator/health/");
        assertThat(Trees.at(container, probe, "timeoutSeconds")).isNotEqualTo(null);
      }
    }
  }

  @Test
  void readsItsConfigurationFromTheApiServerWithRightsToItsOwnObjectsAlone() {
    List<KubeObject> objects = render(Chart.ALL_SERVICES, "pods: {configSource: kubernetes}");

    for (String service : List.of("sync-agent", "dependency-controller", "dependency-webhook")) {
      String name = "mooring-test-" + service;
      assertThat(Chart.named(objects, "Role", service + "-config").list("rules"))
          .isEqualTo(
              List.of(
                  Map.of(
                      "apiGroups", List.of(""),
                      "resources", List.of("configmaps", "secrets"),
                      "resourceNames", List.of(name, name + "-prod", name + "-kubernetes"),
                      "verbs", List.of("get", "list"))));
      KubeObject deployment = deployment(objects, service);
      assertThat(pod(deployment, "automountServiceAccountToken")).isEqualTo(true);
      assertThat(pod(deployment, "volumes").toString()).doesNotContain("configMap");
      assertThat(Trees.at(container(deployment), "env").toString())
          .contains("kubernetes:")
          .doesNotContain("SPRING_CONFIG_ADDITIONAL_LOCATION");
    }
  }

  @Test
  void mountsATokenOnlyWhereAServiceTalksToItsCluster() {
    List<KubeObject> objects = render(Chart.ALL_SERVICES);

    for (String kind : List.of("ServiceAccount", "Deployment")) {
      assertThat(ofKind(objects, kind))
          .hasSize(3)
          .allSatisfy(object ->
              assertThat(
                      kind.equals("Deployment")
                          ? pod(object, "automountServiceAccountToken")
                          : object.at("automountServiceAccountToken"))
                  .as(object.name())
                  .isEqualTo(object.name().endsWith("-sync-agent")));
    }
    assertThat(ofKind(objects, "Role"))
        .extracting(KubeObject::name)
        .containsExactly("mooring-test-sync-agent");
    for (String service : List.of("dependency-controller", "dependency-webhook")) {
      assertThat(Trees.at(Chart.allProperties(objects, service), "spring", "main"))
          .as("Spring Cloud Kubernetes, which needs a token")
          .isNull();
    }
  }

  @Test
  void endsAServiceThatIsOutOfMemoryWithAnyJavaOptions() {
    assertThat(ofKind(render(Chart.ALL_SERVICES), "Deployment"))
        .hasSize(3)
        .allSatisfy(deployment ->
            assertThat(environment(deployment, "JAVA_TOOL_OPTIONS"))
                .startsWith("-XX:+ExitOnOutOfMemoryError -XX:MaxRAMPercentage="));
    assertThat(
            environment(
                deployment(
                    render(Chart.ALL_SERVICES, "dependencyWebhook: {javaOptions: -Xmx300m}"),
                    "dependency-webhook"),
                "JAVA_TOOL_OPTIONS"))
        .isEqualTo("-XX:+ExitOnOutOfMemoryError -Xmx300m");
  }

  @Test
  void takesWhatClustersAskOfPodsForAllServicesOrForOne() {
    List<KubeObject> objects =
        render(
            Chart.ALL_SERVICES,
            """
            pods:
              podAnnotations: {example.org/team: platform}
              podLabels: {tier: control}
              nodeSelector: {kubernetes.io/os: linux}
              tolerations: [{key: dedicated, operator: Exists}]
              affinity: {nodeAffinity: {}}
              topologySpreadConstraints:
              - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}
              priorityClassName: system-cluster-critical
              terminationGracePeriodSeconds: 90
              livenessProbe: {timeoutSeconds: 9}
              serviceAccount: {name: shared, annotations: {example.org/role: mooring}}
              strategy: {type: Recreate}
              initContainers: [{name: wait, image: busybox}]
              dnsPolicy: None
              dnsConfig: {nameservers: [203.0.113.53]}
              hostAliases: [{ip: 203.0.113.7, hostnames: [kcp.example.org]}]
              extraEnv: [{name: HTTPS_PROXY, value: "http://proxy.example.org:3128"}]
              extraVolumes: [{name: ca, configMap: {name: company-ca}}]
              extraVolumeMounts: [{name: ca, mountPath: /etc/company, readOnly: true}]
            dependencyWebhook:
              podLabels: {tier: admission}
              priorityClassName: system-node-critical
              serviceAccount: {create: false, name: theirs}
            """);

    assertThat(ofKind(objects, "ServiceAccount"))
        .hasSize(2)
        .allSatisfy(account -> {
          assertThat(account.name()).isEqualTo("shared");
          assertThat(account.text("metadata", "annotations", "example.org/role"))
              .isEqualTo("mooring");
        });
    for (String kind : List.of("RoleBinding", "ClusterRoleBinding")) {
      assertThat(ofKind(objects, kind))
          .isNotEmpty()
          .allSatisfy(binding ->
              assertThat(Trees.at(binding.list("subjects").getFirst(), "name"))
                  .isEqualTo("shared"));
    }
    for (KubeObject deployment : ofKind(objects, "Deployment")) {
      boolean webhook = deployment.name().endsWith("-webhook");
      assertThat(deployment.text("spec", "template", "metadata", "annotations", "example.org/team"))
          .isEqualTo("platform");
      assertThat(deployment.text("spec", "template", "metadata", "labels", "tier"))
          .isEqualTo(webhook ? "admission" : "control");
      assertThat(pod(deployment, "priorityClassName"))
          .isEqualTo(webhook ? "system-node-critical" : "system-cluster-critical");
      assertThat(pod(deployment, "serviceAccountName")).isEqualTo(webhook ? "theirs" : "shared");
      assertThat(deployment.at("spec", "strategy")).isEqualTo(Map.of("type", "Recreate"));
      assertThat(pod(deployment, "initContainers"))
          .isEqualTo(List.of(Map.of("name", "wait", "image", "busybox")));
      assertThat(pod(deployment, "dnsPolicy")).isEqualTo("None");
      assertThat(pod(deployment, "dnsConfig"))
          .isEqualTo(Map.of("nameservers", List.of("203.0.113.53")));
      assertThat(pod(deployment, "hostAliases"))
          .isEqualTo(List.of(Map.of("ip", "203.0.113.7", "hostnames", List.of("kcp.example.org"))));
      assertThat(pod(deployment, "nodeSelector")).isEqualTo(Map.of("kubernetes.io/os", "linux"));
      assertThat(pod(deployment, "tolerations"))
          .isEqualTo(List.of(Map.of("key", "dedicated", "operator", "Exists")));
      assertThat(pod(deployment, "affinity")).isEqualTo(Map.of("nodeAffinity", Map.of()));
      assertThat(pod(deployment, "terminationGracePeriodSeconds")).isEqualTo(90L);
      Object spread = Trees.listOrEmpty(pod(deployment, "topologySpreadConstraints")).getFirst();
      assertThat(Trees.at(spread, "labelSelector")).isEqualTo(deployment.at("spec", "selector"));
      Object container = container(deployment);
      assertThat(Trees.at(container, "livenessProbe", "timeoutSeconds")).isEqualTo(9L);
      assertThat(Trees.at(container, "livenessProbe", "periodSeconds")).isEqualTo(10L);
      assertThat(environment(deployment, "HTTPS_PROXY")).isEqualTo("http://proxy.example.org:3128");
      assertThat(Trees.listOrEmpty(Trees.at(container, "volumeMounts")))
          .contains(Map.of("name", "ca", "mountPath", "/etc/company", "readOnly", true));
      assertThat(Trees.listOrEmpty(pod(deployment, "volumes")))
          .contains(Map.of("name", "ca", "configMap", Map.of("name", "company-ca")));
    }
  }

  @Test
  void servesHttpsOnManagementPortsThatHaveASecret() {
    List<KubeObject> objects =
        render(
            Chart.ALL_SERVICES,
            """
            pods: {management: {tls: {secret: management-tls}}}
            dependencyWebhook: {management: {tls: {secret: webhook-management-tls}}}
            metrics: {serviceMonitor: {enabled: true}}
            """);

    for (String service : List.of("sync-agent", "dependency-controller", "dependency-webhook")) {
      KubeObject deployment = deployment(objects, service);
      String secret =
          service.equals("dependency-webhook") ? "webhook-management-tls" : "management-tls";
      for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
        assertThat(Trees.at(container(deployment), probe, "httpGet", "scheme")).isEqualTo("HTTPS");
      }
      assertThat(Trees.listOrEmpty(pod(deployment, "volumes")))
          .contains(
              Map.of(
                  "name",
                  "management-tls",
                  "secret",
                  Map.of("secretName", secret, "defaultMode", 288L)));
      assertThat(
              Chart.named(objects, "ServiceMonitor", service).list("spec", "endpoints").getFirst())
          .isEqualTo(
              Map.of(
                  "port",
                  "management",
                  "path",
                  "/actuator/prometheus",
                  "scheme",
                  "https",
                  "tlsConfig",
                  Map.of(
                      "ca",
                      Map.of("secret", Map.of("name", secret, "key", "ca.crt")),
                      "serverName",
                      "mooring-test-" + service + "-management.mooring-system.svc")));
    }
    for (KubeObject deployment : ofKind(render(Chart.ALL_SERVICES), "Deployment")) {
      assertThat(Trees.at(container(deployment), "readinessProbe", "httpGet", "scheme")).isNull();
      assertThat(Trees.listOrEmpty(pod(deployment, "volumes")))
          .extracting(volume -> Trees.at(volume, "name"))
          .doesNotContain("management-tls");
    }
  }

  @Test
  void tracesAllServicesWithAnEndpointAlone() {
    List<KubeObject> traced =
        render(
            Chart.ALL_SERVICES,
            "tracing: {otlpEndpoint: 'http://otel-collector:4318/v1/traces'}",
            "tracing: {samplingProbability: 0.5}",
            "pods: {management: {tls: {secret: management-tls}}}");
    List<KubeObject> untraced = render(Chart.ALL_SERVICES);

    for (String service : List.of("sync-agent", "dependency-controller", "dependency-webhook")) {
      Object management = Trees.at(Chart.allProperties(traced, service), "management");
      assertThat(Trees.at(management, "opentelemetry", "tracing", "export", "otlp", "endpoint"))
          .isEqualTo("http://otel-collector:4318/v1/traces");
      assertThat(Trees.at(management, "tracing", "sampling", "probability")).isEqualTo(0.5);
      assertThat(Trees.at(Chart.allProperties(untraced, service), "management", "tracing"))
          .isNull();
    }
  }

  @Test
  void leavesTheVerificationOfManagementPortsToTheOperator() {
    List<KubeObject> objects =
        render(
            Chart.ALL_SERVICES,
            """
            pods: {management: {tls: {secret: management-tls}}}
            metrics: {serviceMonitor: {enabled: true, tlsConfig: {insecureSkipVerify: true}}}
            """);

    assertThat(ofKind(objects, "ServiceMonitor"))
        .hasSize(3)
        .allSatisfy(monitor ->
            assertThat(Trees.at(monitor.list("spec", "endpoints").getFirst(), "tlsConfig"))
                .isEqualTo(Map.of("insecureSkipVerify", true)));
  }

  @Test
  void leavesIdsToOpenShift() {
    List<KubeObject> objects =
        render(
            Chart.ALL_SERVICES,
            "pods: {podSecurityContext: {runAsUser: null, runAsGroup: null, fsGroup: null}}");

    assertThat(ofKind(objects, "Deployment"))
        .hasSize(3)
        .allSatisfy(deployment ->
            assertThat(pod(deployment, "securityContext"))
                .isEqualTo(
                    Map.of(
                        "runAsNonRoot", true, "seccompProfile", Map.of("type", "RuntimeDefault"))));
  }

  @Test
  void pinsAnImageByItsDigest() {
    String digest = "sha256:" + "0123456789abcdef".repeat(4);
    List<KubeObject> objects =
        render(
            Chart.ALL_SERVICES,
            "image: {registry: registry.example.org, tag: 1.2.3}",
            "dependencyWebhook: {image: {digest: '%s'}}".formatted(digest));

    assertThat(Trees.at(container(deployment(objects, "dependency-webhook")), "image"))
        .isEqualTo("registry.example.org/mooring/dependency-webhook@" + digest);
    assertThat(Trees.at(container(deployment(objects, "sync-agent")), "image"))
        .isEqualTo("registry.example.org/mooring/sync-agent:1.2.3");
  }

  @Test
  void letsAWebhookEndItsDrainBeforeItIsKilled() {
    assertThat(ending("{}")).isEqualTo(List.of(60L, "30s", "35s"));
    assertThat(ending("{drain: 2m}")).isEqualTo(List.of(150L, "2m", "125s"));
    assertThat(ending("{drain: 2500ms}")).isEqualTo(List.of(33L, "2500ms", "20s"));
    assertThat(ending("{drain: 5s, terminationGracePeriodSeconds: 45}"))
        .isEqualTo(List.of(45L, "5s", "20s"));
  }

  /** Grace period, drain, and for how long Spring waits for that; 20 s if it is not said. */
  private static List<Object> ending(String webhook) {
    List<KubeObject> objects = render(Chart.ALL_SERVICES, "dependencyWebhook: " + webhook);
    Object phase =
        Trees.at(
            Chart.allProperties(objects, "dependency-webhook"),
            "spring",
            "lifecycle",
            "timeout-per-shutdown-phase");
    return List.of(
        pod(deployment(objects, "dependency-webhook"), "terminationGracePeriodSeconds"),
        Trees.at(Chart.properties(objects, "dependency-webhook"), "drain"),
        phase == null ? "20s" : phase);
  }

  private static Object pod(KubeObject deployment, String... path) {
    return Trees.at(deployment.at("spec", "template", "spec"), path);
  }

  private static String environment(KubeObject deployment, String name) {
    return Trees.listOrEmpty(Trees.at(container(deployment), "env")).stream()
        .filter(variable -> name.equals(Trees.at(variable, "name")))
        .map(variable -> Trees.textOrEmpty(Trees.at(variable, "value")))
        .findFirst()
        .orElse("");
  }
}
