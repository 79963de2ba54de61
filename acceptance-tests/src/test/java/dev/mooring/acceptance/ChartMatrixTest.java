package dev.mooring.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The chart over release names, services, sources of the certificate, and one or several agents and
 * replicas: every object is valid for Kubernetes, and fits the others.
 */
class ChartMatrixTest {
  private static final String LONGEST = "a-release-with-a-name-as-long-as-helm-lets-it-be-at-53";

  private static final Map<String, String> CERTIFICATES =
      Map.of(
          "a Secret",
          "{}",
          "cert-manager",
          "{dependencyWebhook: {tls: {certManager: {enabled: true, issuerRef: {name: internal}}}},"
              + " dependencyController: {webhook: {url: 'https://a.example.org/validate'}}}",
          "a public issuer",
          "{dependencyWebhook: {tls: {certManager: {enabled: true, issuerRef: {name: acme}}}},"
              + " dependencyController:"
              + " {webhook: {url: 'https://a.example.org/validate', caSecret: ''}}}",
          "the chart",
          "dependencyWebhook: {tls: {generate: true}}");

  private static final Map<String, String> SIZES =
      Map.of(
          "one of each",
          "{syncAgent: {apiExportEndpointSlice: x.example.org}, dependencyWebhook: {replicas: 1}}",
          "several of each, with all that pods may have",
          """
          syncAgent: {replicas: 2, publishedResourceSelector: api=x}
          syncAgents:
            x: {apiExportEndpointSlice: x.example.org}
            a-name-that-is-as-long-as-it-may: {apiExportEndpointSlice: y.example.org}
          dependencyController: {replicas: 3}
          dependencyWebhook:
            replicas: 3
            ingress: {enabled: true, className: nginx, host: a.example.org, tlsSecret: ingress-tls}
            service:
              {type: LoadBalancer, externalTrafficPolicy: Local, loadBalancerSourceRanges: [10.0.0.0/8]}
          metrics:
            serviceMonitor: {enabled: true, interval: 15s, labels: {release: prometheus}}
            rules: {enabled: true, labels: {release: prometheus}}
            dashboards: {enabled: true, annotations: {grafana_folder: Mooring}}
          tracing: {otlpEndpoint: "http://otel-collector:4318/v1/traces", samplingProbability: 1}
          networkPolicy: {admissionFrom: [{ipBlock: {cidr: 203.0.113.0/28}}]}
          image: {pullSecrets: [{name: registry}]}
          pods:
            configSource: kubernetes
            podAnnotations: {example.org/team: platform}
            podLabels: {tier: control}
            nodeSelector: {kubernetes.io/os: linux}
            tolerations: [{key: dedicated, operator: Exists}]
            affinity: {podAntiAffinity: {}}
            topologySpreadConstraints:
            - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}
            priorityClassName: system-cluster-critical
            serviceAccount: {annotations: {example.org/role: mooring}}
            strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
            initContainers: [{name: wait, image: busybox}]
            dnsPolicy: ClusterFirst
            dnsConfig: {searches: [example.org]}
            hostAliases: [{ip: 203.0.113.7, hostnames: [kcp.example.org]}]
            management: {tls: {secret: management-tls}}
            extraEnv: [{name: HTTPS_PROXY, value: "http://proxy.example.org:3128"}]
            extraVolumes: [{name: ca, configMap: {name: company-ca}}]
            extraVolumeMounts: [{name: ca, mountPath: /etc/company}]
          """);

  static Stream<List<String>> combinations() {
    return Stream.of("a", "mooring", "1st.release", LONGEST.substring(0, 53))
        .flatMap(release ->
            Stream.of(
                    "AGENT",
                    "CONTROLLER",
                    "WEBHOOK",
                    "CONTROLLER WEBHOOK",
                    "AGENT CONTROLLER WEBHOOK")
                .flatMap(services ->
                    (services.equals("AGENT")
                            ? Stream.of("a Secret")
                            : CERTIFICATES.keySet().stream())
                        .flatMap(certificate ->
                            SIZES.keySet().stream()
                                .map(size -> List.of(release, services, certificate, size)))));
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void isValidForKubernetesAndWhole(List<String> combination) {
    String services = combination.get(1);
    List<KubeObject> objects =
        Chart.render(
            combination.get(0),
            List.of(
                CERTIFICATES.get(combination.get(2)),
                SIZES.get(combination.get(3)),
                "dependencyController: {webhook: {url: 'https://a.example.org/validate'}}",
                "{syncAgent: {enabled: %s}, dependencyController: {enabled: %s}, dependencyWebhook: {enabled: %s}}"
                    .formatted(
                        services.contains("AGENT"),
                        services.contains("CONTROLLER"),
                        services.contains("WEBHOOK")),
                services.contains("AGENT") ? "{}" : "syncAgents: null"));

    for (KubeObject object : objects) {
      assertThat(KubernetesSchema.problems(object))
          .as("%s %s", object.kind(), object.name())
          .isEmpty();
    }
    assertNamesAreValidAndDiffer(objects);
    assertReferencesAreMet(objects);
  }

  @ParameterizedTest
  @CsvSource({
    "dependency-workspace",
    "parent-workspace",
    "provider-workspace",
    "shard",
    "agent-workspace",
  })
  void rendersValidRolesForEveryPlace(String place) {
    List<KubeObject> objects =
        Chart.render(
            """
            kcpManifests:
              place: %s
              apiExport: x.example.org
              prune: true
              dependents: [{apiGroups: [compute.example.corp], resources: [virtualmachines]}]
            """
                .formatted(place));

    assertThat(objects)
        .filteredOn(object -> !object.apiVersion().contains("kcp.io/"))
        .isNotEmpty()
        .allSatisfy(object -> assertThat(KubernetesSchema.problems(object)).isEmpty());
  }

  @Test
  void sharesNoNameBetweenServicesOfTwoReleases() {
    var owners = new LinkedHashMap<String, String>();
    for (String release :
        List.of(
            "a",
            "b",
            "a-mooring",
            "mooring",
            "mooring-a",
            "a.b",
            "a-b",
            "1a",
            "r-1a",
            LONGEST.substring(0, 53),
            LONGEST.substring(0, 52) + "x",
            LONGEST.substring(0, 40))) {
      for (KubeObject object :
          Chart.render(
              release,
              List.of(
                  Chart.ALL_SERVICES, SIZES.get("several of each, with all that pods may have")))) {
        if (!object.kind().equals("CustomResourceDefinition")) {
          assertThat(owners.put(object.kind() + " " + object.name(), release))
              .as("%s %s of release %s", object.kind(), object.name(), release)
              .isNull();
        }
      }
    }
  }

  @Test
  void takesTheNamesThatItIsGiven() {
    assertThat(deployments("nameOverride: blue")).containsExactly("mooring-test-blue-sync-agent");
    assertThat(deployments("{nameOverride: blue, fullnameOverride: platform}"))
        .containsExactly("platform-sync-agent");
    assertThat(deployments("{}")).containsExactly("mooring-test-sync-agent");
    assertThat(deployments("fullnameOverride: '%s'".formatted("x".repeat(63))))
        .singleElement()
        .matches(name -> name.length() <= 52);
  }

  private static List<String> deployments(String values) {
    return Chart.ofKind(
            Chart.render("syncAgent: {apiExportEndpointSlice: x.example.org}", values),
            "Deployment")
        .stream()
        .map(KubeObject::name)
        .toList();
  }

  @Test
  void findsAMisspeltField() {
    List<KubeObject> objects =
        Chart.render(
            Chart.ALL_SERVICES,
            """
            pods: {extraVolumes: [{name: ca, configMapp: {name: company-ca}}]}
            dependencyWebhook:
              tls: {certManager: {enabled: true, issuerRef: {name: internal, kindd: ClusterIssuer}}}
            """);

    assertThat(KubernetesSchema.problems(Chart.deployment(objects, "sync-agent")))
        .singleElement()
        .asString()
        .contains("configMapp", "V1Volume");
    assertThat(KubernetesSchema.problems(Chart.named(objects, "Certificate", "dependency-webhook")))
        .containsExactly("unknown field .Spec.IssuerRef.kindd");
    KubeObject service = Chart.named(objects, "Service", "dependency-webhook");
    assertThat(KubernetesSchema.problems(service.with("soon", "spec", "ports"))).isNotEmpty();
    assertThat(KubernetesSchema.problems(service)).isEmpty();
  }

  private static void assertNamesAreValidAndDiffer(List<KubeObject> objects) {
    Set<String> seen = new HashSet<>();
    for (KubeObject object : objects) {
      assertThat(seen.add(object.kind() + " " + object.name())).as(object.name()).isTrue();
      switch (object.kind()) {
        case "CustomResourceDefinition" -> {}
        case "ClusterRole", "ClusterRoleBinding" ->
            assertThat(object.name()).startsWith("mooring-system:");
        default -> assertThat(object.name()).matches("[a-z]([a-z0-9-]{0,61}[a-z0-9])?");
      }
      Trees.mapOrEmpty(object.at("metadata", "labels"))
          .forEach((key, value) ->
              assertThat((String) value)
                  .matches("([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?"));
    }
  }

  private static void assertReferencesAreMet(List<KubeObject> objects) {
    Set<String> there =
        objects.stream()
            .map(object -> object.kind() + " " + object.name())
            .collect(Collectors.toSet());
    var wanted = new ArrayList<String>();
    List<KubeObject> deployments = Chart.ofKind(objects, "Deployment");
    for (KubeObject deployment : deployments) {
      Map<String, Object> pod = Trees.mapOrEmpty(deployment.at("spec", "template", "spec"));
      wanted.add("ServiceAccount " + pod.get("serviceAccountName"));
      wanted.add("ConfigMap " + deployment.name());
      assertThat(Trees.mapOrEmpty(deployment.at("spec", "template", "metadata", "labels")))
          .containsAllEntriesOf(Trees.mapOrEmpty(deployment.at("spec", "selector", "matchLabels")));
    }
    for (String kind : List.of("RoleBinding", "ClusterRoleBinding")) {
      for (KubeObject binding : Chart.ofKind(objects, kind)) {
        wanted.add(binding.text("roleRef", "kind") + " " + binding.text("roleRef", "name"));
        for (Object subject : binding.list("subjects")) {
          wanted.add("ServiceAccount " + Trees.at(subject, "name"));
        }
      }
    }
    assertThat(there).containsAll(wanted);
    for (String kind : List.of("Service", "NetworkPolicy", "PodDisruptionBudget")) {
      for (KubeObject selecting : Chart.ofKind(objects, kind)) {
        Map<String, Object> selector =
            Trees.mapOrEmpty(
                switch (kind) {
                  case "Service" -> selecting.at("spec", "selector");
                  case "NetworkPolicy" -> selecting.at("spec", "podSelector", "matchLabels");
                  default -> selecting.at("spec", "selector", "matchLabels");
                });
        assertThat(deployments)
            .filteredOn(deployment ->
                Trees.mapOrEmpty(deployment.at("spec", "template", "metadata", "labels"))
                    .entrySet()
                    .containsAll(selector.entrySet()))
            .as("what %s %s selects", kind, selecting.name())
            .hasSize(1);
      }
    }
  }
}
