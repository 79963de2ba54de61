package dev.mooring.acceptance;

import static dev.mooring.acceptance.Chart.allProperties;
import static dev.mooring.acceptance.Chart.named;
import static dev.mooring.acceptance.Chart.ofKind;
import static dev.mooring.acceptance.Chart.properties;
import static dev.mooring.acceptance.Chart.render;
import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import dev.mooring.harness.Manifests;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which objects the chart renders, and what services read at start. */
class ChartTest {
  private static final String EVERYTHING =
      """
      syncAgent:
        replicas: 2
        apiExportEndpointSlice: certificates.example.corp
        config: {agent-name: certificates}
        rbac: {published: [{apiGroups: [cert-manager.io], resources: [certificates]}]}
      dependencyController: {enabled: true, webhook: {url: "https://webhook.example.org/validate"}}
      dependencyWebhook:
        enabled: true
        tls: {certManager: {enabled: true, issuerRef: {kind: ClusterIssuer, name: internal-ca}}}
      metrics: {serviceMonitor: {enabled: true}}
      """;

  @Test
  void passesStrictLint() {
    LintResult result = new Helm(Chart.DIRECTORY).lint().strict().call();

    assertThat(result.isFailed()).as(String.join("\n", result.getMessages())).isFalse();
  }

  @Test
  void rendersEveryServiceWithWhatItNeeds() {
    Map<String, List<String>> kinds =
        render(EVERYTHING).stream()
            .collect(
                Collectors.groupingBy(
                    KubeObject::name, Collectors.mapping(KubeObject::kind, Collectors.toList())));

    assertThat(kinds)
        .containsOnlyKeys(
            "mooring-test-sync-agent",
            "mooring-test-sync-agent-management",
            "mooring-system:mooring-test-endpoints-operate",
            "mooring-system:mooring-test-endpoints-view",
            "mooring-system:mooring-test-sync-agent",
            "mooring-test-dependency-controller",
            "mooring-test-dependency-controller-management",
            "mooring-test-dependency-webhook",
            "mooring-test-dependency-webhook-management",
            "publishedresources.syncagent.kcp.io");
    assertThat(kinds.get("mooring-test-sync-agent"))
        .containsExactlyInAnyOrder(
            "ConfigMap",
            "ServiceAccount",
            "Deployment",
            "NetworkPolicy",
            "PodDisruptionBudget",
            "ServiceMonitor",
            "Role",
            "RoleBinding");
    assertThat(kinds.get("mooring-system:mooring-test-sync-agent"))
        .containsExactlyInAnyOrder("ClusterRole", "ClusterRoleBinding");
    assertThat(kinds.get("mooring-test-dependency-controller"))
        .containsExactlyInAnyOrder(
            "ConfigMap", "ServiceAccount", "Deployment", "NetworkPolicy", "ServiceMonitor");
    assertThat(kinds.get("mooring-test-dependency-webhook"))
        .containsExactlyInAnyOrder(
            "ConfigMap",
            "ServiceAccount",
            "Deployment",
            "Service",
            "NetworkPolicy",
            "PodDisruptionBudget",
            "ServiceMonitor",
            "Certificate");
  }

  @Test
  void rendersOnlyWhatIsSwitchedOn() {
    List<KubeObject> objects =
        render("{syncAgent: {enabled: false}, dependencyWebhook: {enabled: true}}");

    assertThat(objects)
        .extracting(KubeObject::name)
        .containsOnly(
            "mooring-test-dependency-webhook", "mooring-test-dependency-webhook-management");
  }

  @Test
  void upgradesTheCrdWithTheReleaseAndKeepsItAfterwards() {
    KubeObject crd = crds(Chart.ALL_SERVICES).getFirst();

    assertThat(crd.at("spec"))
        .isEqualTo(
            Manifests.ofFile(
                    Chart.DIRECTORY.resolve(
                        "service-cluster/publishedresources.syncagent.kcp.io.yaml"))
                .getFirst()
                .at("spec"));
    assertThat(crd.text("metadata", "annotations", "helm.sh/resource-policy")).isEqualTo("keep");
    assertThat(crds(Chart.ALL_SERVICES, "crds: {keep: false}"))
        .singleElement()
        .extracting(object -> object.at("metadata", "annotations"))
        .isNull();
    assertThat(crds(Chart.ALL_SERVICES, "crds: {enabled: false}")).isEmpty();
    assertThat(crds(Chart.ALL_SERVICES, "syncAgent: {enabled: false}")).isEmpty();
  }

  private static List<KubeObject> crds(String... values) {
    return ofKind(render(values), "CustomResourceDefinition");
  }

  @Test
  void mountsTheConfigurationThatItRenders() {
    List<KubeObject> objects = render(EVERYTHING);

    assertThat(properties(objects, "sync-agent"))
        .isEqualTo(
            Map.of(
                "kcp-kubeconfig", "/var/run/mooring/kcp/kubeconfig",
                "namespace", "mooring-system",
                "apiexportendpointslice-ref", "certificates.example.corp",
                "agent-name", "certificates",
                "leader-election", true));
    assertThat(Chart.deployment(objects, "sync-agent").list("spec", "template", "spec", "volumes"))
        .contains(Map.of("name", "config", "configMap", Map.of("name", "mooring-test-sync-agent")));
  }

  @Test
  void electsALeaderAlsoOfOneReplicaBecauseARolloutRunsTwoPods() {
    List<KubeObject> objects = render(Chart.ALL_SERVICES);

    for (String service : List.of("sync-agent", "dependency-controller")) {
      assertThat(Chart.deployment(objects, service).at("spec", "replicas")).isEqualTo(1L);
      assertThat(Trees.at(properties(objects, service), "leader-election"))
          .as(service)
          .isEqualTo(true);
    }
    assertThat(Chart.grants(named(objects, "Role", "sync-agent")))
        .contains(
            "coordination.k8s.io/leases: get",
            "coordination.k8s.io/leases: create",
            "coordination.k8s.io/leases: update");
    assertThat(
            Trees.at(
                properties(
                    render(Chart.ALL_SERVICES, "syncAgent: {config: {leader-election: false}}"),
                    "sync-agent"),
                "leader-election"))
        .isEqualTo(false);
  }

  @Test
  void takesAnyPropertyOfSpringBoot() {
    List<KubeObject> objects =
        render(
            Chart.ALL_SERVICES,
            """
            syncAgent: {properties: {logging: {level: {dev.mooring: DEBUG}}}}
            dependencyController: {properties: {mooring: {dependency-controller: {workers: 8}}}}
            dependencyWebhook: {properties: {server: {tomcat: {max-connections: 400}}}}
            """);

    assertThat(Trees.at(allProperties(objects, "sync-agent"), "logging", "level", "dev.mooring"))
        .isEqualTo("DEBUG");
    assertThat(Trees.at(properties(objects, "dependency-controller"), "workers")).isEqualTo(8);
    assertThat(Trees.at(properties(objects, "dependency-controller"), "webhook-url"))
        .isEqualTo("https://webhook.example.org/validate");
    assertThat(
            Trees.at(
                allProperties(objects, "dependency-webhook"),
                "server",
                "tomcat",
                "max-connections"))
        .isEqualTo(400);
  }

  @Test
  void mountsTheCertificateAndItsAuthority() {
    List<KubeObject> objects =
        render(
            Chart.ALL_SERVICES,
            """
            syncAgent: {enabled: false}
            dependencyWebhook:
              rulesMaxStaleness: 80s
              index: {maxStaleness: 90s}
            """);

    assertThat(properties(objects, "dependency-controller"))
        .isEqualTo(
            Map.of(
                "kubeconfig", "/var/run/mooring/kcp/kubeconfig",
                "webhook-url", "https://webhook.example.org/validate",
                "webhook-user", "mooring:dependency-webhook",
                "webhook-ca-bundle-path", "/var/run/mooring/webhook-ca/ca.crt",
                "webhook-rules-max-staleness", "80s",
                "webhook-index-max-staleness", "90s",
                "leader-election", true));
    assertThat(properties(objects, "dependency-webhook"))
        .isEqualTo(
            Map.of(
                "kubeconfig", "/var/run/mooring/kcp/kubeconfig",
                "tls-cert-dir", "/var/run/mooring/webhook-tls",
                "rules-max-staleness", "80s",
                "drain", "30s",
                "index",
                    Map.of(
                        "max-staleness",
                        "90s",
                        "idle-max",
                        "10m",
                        "indexes-max",
                        1000,
                        "objects-max",
                        25000,
                        "total-objects-max",
                        50000)));
    assertThat(secretNames(objects, "dependency-controller"))
        .containsExactlyInAnyOrder(
            "dependency-controller-kcp-kubeconfig", "dependency-webhook-tls");
    assertThat(secretNames(objects, "dependency-webhook"))
        .containsExactlyInAnyOrder("dependency-webhook-kcp-kubeconfig", "dependency-webhook-tls");
  }

  private static List<String> secretNames(List<KubeObject> objects, String service) {
    return Chart.deployment(objects, service).list("spec", "template", "spec", "volumes").stream()
        .map(volume -> Trees.textOrEmpty(Trees.at(volume, "secret", "secretName")))
        .filter(name -> !name.isEmpty())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "https://webhook.example.org/validate, 2, webhook.example.org",
    "https://203.0.113.7:9443/validate, 7, 203.0.113.7",
    "'https://[2001:db8::7]:9443/validate', 7, 2001:db8:0:0:0:0:0:7",
  })
  void makesACertificateThatVerifiesForItsHost(String url, int kind, String name)
      throws GeneralSecurityException, IOException {
    KubeObject secret =
        named(
            render(
                Chart.ALL_SERVICES,
                "dependencyController: {webhook: {url: '%s'}}".formatted(url),
                "dependencyWebhook: {tls: {generate: true}}"),
            "Secret",
            "dependency-webhook-tls");

    X509Certificate certificate = certificate(secret, "tls.crt");
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("ca", certificate(secret, "ca.crt"));
    var trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    ((X509TrustManager) trust.getTrustManagers()[0])
        .checkServerTrusted(new X509Certificate[] {certificate}, "UNKNOWN");
    assertThat(certificate.getSubjectAlternativeNames()).containsExactly(List.of(kind, name));
    assertThat(certificate.getNotAfter())
        .isAfter(Date.from(Instant.now().plus(Duration.ofDays(3_640))));
    assertThat(secret.text("type")).isEqualTo("kubernetes.io/tls");
    assertThat(decoded(secret, "tls.key")).contains("PRIVATE KEY");
  }

  private static X509Certificate certificate(KubeObject secret, String key)
      throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(decoded(secret, key).getBytes(StandardCharsets.US_ASCII)));
  }

  private static String decoded(KubeObject secret, String key) {
    return new String(
        Base64.getDecoder().decode(secret.text("data", key)), StandardCharsets.US_ASCII);
  }

  @Test
  void mountsNoCaWhereKcpTrustsTheIssuerAnyway() {
    List<KubeObject> objects =
        render(
            Chart.ALL_SERVICES,
            """
            dependencyController: {webhook: {caSecret: ""}}
            dependencyWebhook: {tls: {certManager: {enabled: true, issuerRef: {name: letsencrypt}}}}
            """);

    assertThat(Trees.mapOrEmpty(properties(objects, "dependency-controller")))
        .doesNotContainKey("webhook-ca-bundle-path");
    assertThat(
            Chart.deployment(objects, "dependency-controller")
                .list("spec", "template", "spec", "volumes"))
        .extracting(volume -> Trees.at(volume, "name"))
        .containsExactlyInAnyOrder("config", "kcp", "tmp");
    assertThat(named(objects, "Certificate", "dependency-webhook").list("spec", "dnsNames"))
        .containsExactly("webhook.example.org");
  }

  @Test
  void passesTheWebhooksMaxStalenessOfRulesToTheControllerHoweverItIsSet() {
    for (String said :
        List.of(
            "{rulesMaxStaleness: 10m}",
            "{config: {rules-max-staleness: 10m}}",
            "{properties: {mooring: {dependency-webhook: {rules-max-staleness: 10m}}}}")) {
      List<KubeObject> objects = render(Chart.ALL_SERVICES, "dependencyWebhook: " + said);

      assertThat(Trees.at(properties(objects, "dependency-webhook"), "rules-max-staleness"))
          .as(said)
          .isEqualTo("10m");
      assertThat(
              Trees.at(properties(objects, "dependency-controller"), "webhook-rules-max-staleness"))
          .as(said)
          .isEqualTo("10m");
    }
  }

  @Test
  void tellsTheControllerHowFarTheWebhooksIndexesMayBeBehindHoweverThatWasSet() {
    List<KubeObject> objects =
        render(Chart.ALL_SERVICES, "dependencyWebhook: {config: {index: {max-staleness: 5m}}}");

    assertThat(Trees.at(properties(objects, "dependency-webhook"), "index", "max-staleness"))
        .isEqualTo("5m");
    assertThat(Trees.at(properties(objects, "dependency-webhook"), "index", "idle-max"))
        .isEqualTo("10m");
    assertThat(
            Trees.at(properties(objects, "dependency-controller"), "webhook-index-max-staleness"))
        .isEqualTo("5m");
  }

  @Test
  void allowsReviewsFromConfiguredClientsOnly() {
    List<KubeObject> objects =
        render(
            Chart.ALL_SERVICES,
            """
            dependencyWebhook:
              tls: {clientCa: {secret: kcp-clients}}
              service:
                type: LoadBalancer
                loadBalancerSourceRanges: [203.0.113.0/28]
                externalTrafficPolicy: Local
            networkPolicy: {admissionFrom: [{ipBlock: {cidr: 203.0.113.0/28}}]}
            """);

    Object all = allProperties(objects, "dependency-webhook");
    assertThat(Trees.at(all, "server", "ssl", "client-auth")).isEqualTo("need");
    assertThat(
            Trees.at(all, "spring", "ssl", "bundle", "pem", "webhook", "truststore", "certificate"))
        .isEqualTo("file:/var/run/mooring/webhook-clients/ca.crt");
    assertThat(
            Chart.deployment(objects, "dependency-webhook")
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
    assertThat(named(objects, "NetworkPolicy", "dependency-webhook").list("spec", "ingress"))
        .first()
        .extracting(rule -> Trees.at(rule, "from"))
        .isEqualTo(List.of(Map.of("ipBlock", Map.of("cidr", "203.0.113.0/28"))));
    KubeObject service = named(objects, "Service", "dependency-webhook");
    assertThat(service.list("spec", "loadBalancerSourceRanges")).containsExactly("203.0.113.0/28");
    assertThat(service.text("spec", "externalTrafficPolicy")).isEqualTo("Local");
  }

  @ParameterizedTest
  @CsvSource({"'', webhook.example.org", "'host: ingress.example.org', ingress.example.org"})
  void rendersAnIngressFromTheHostThatKcpCallsToTheWebhook(String configured, String host) {
    String values =
        """
        dependencyWebhook:
          service: {port: 8443}
          ingress:
            enabled: true
            className: nginx
            annotations: {nginx.ingress.kubernetes.io/ssl-passthrough: "true"}
            tlsSecret: ingress-tls
        """;
    List<KubeObject> objects =
        render(
            Chart.ALL_SERVICES, values, "dependencyWebhook: {ingress: {%s}}".formatted(configured));

    KubeObject service = named(objects, "Service", "dependency-webhook");
    KubeObject ingress = named(objects, "Ingress", "dependency-webhook");
    assertThat(ingress.namespace()).isEqualTo(Chart.NAMESPACE);
    assertThat(ingress.annotations())
        .containsEntry("nginx.ingress.kubernetes.io/ssl-passthrough", "true");
    assertThat(ingress.text("spec", "ingressClassName")).isEqualTo("nginx");
    assertThat(ingress.list("spec", "tls"))
        .containsExactly(Map.of("hosts", List.of(host), "secretName", "ingress-tls"));
    Object backend =
        Map.of("service", Map.of("name", service.name(), "port", Map.of("name", "admission")));
    Object path = Map.of("path", "/", "pathType", "Prefix", "backend", backend);
    assertThat(ingress.list("spec", "rules"))
        .containsExactly(Map.of("host", host, "http", Map.of("paths", List.of(path))));
    assertThat(service.list("spec", "ports"))
        .containsExactly(Map.of("name", "admission", "port", 8443L, "targetPort", "admission"));
    assertThat(
            Trees.listOrEmpty(
                Trees.at(
                    Chart.container(Chart.deployment(objects, "dependency-webhook")), "ports")))
        .contains(Map.of("name", "admission", "containerPort", 9443L));
  }

  @Test
  void opensTheManagementPortForPrometheusWhereThereIsAServiceMonitor() {
    List<KubeObject> closed = render(Chart.ALL_SERVICES);
    List<KubeObject> open =
        render(
            Chart.ALL_SERVICES,
            "metrics: {serviceMonitor: {enabled: true, interval: 15s, labels: {release: prom}}}");
    List<KubeObject> narrow =
        render(
            Chart.ALL_SERVICES,
            "metrics: {serviceMonitor: {enabled: true}}",
            "networkPolicy: {managementFrom: [{podSelector: {}}]}");

    assertThat(ofKind(closed, "ServiceMonitor")).isEmpty();
    assertThat(managementPeers(closed, "sync-agent")).isEmpty();
    for (var service :
        Map.of("sync-agent", 8085L, "dependency-controller", 8086L, "dependency-webhook", 8087L)
            .entrySet()) {
      KubeObject monitor = named(open, "ServiceMonitor", service.getKey());
      assertThat(monitor.text("metadata", "labels", "release")).isEqualTo("prom");
      assertThat(monitor.list("spec", "endpoints"))
          .containsExactly(
              Map.of("port", "management", "path", "/actuator/prometheus", "interval", "15s"));
      KubeObject scraped = named(open, "Service", service.getKey() + "-management");
      assertThat(Trees.mapOrEmpty(scraped.at("metadata", "labels")))
          .containsAllEntriesOf(Trees.mapOrEmpty(monitor.at("spec", "selector", "matchLabels")));
      assertThat(managementPeers(open, service.getKey()))
          .containsExactly(
              Map.of(
                  "from",
                  List.of(Map.of("namespaceSelector", Map.of())),
                  "ports",
                  List.of(Map.of("port", service.getValue()))));
      assertThat(Trees.at(managementPeers(narrow, service.getKey()).getFirst(), "from"))
          .isEqualTo(List.of(Map.of("podSelector", Map.of())));
    }
  }

  private static List<Object> managementPeers(List<KubeObject> objects, String service) {
    return named(objects, "NetworkPolicy", service).list("spec", "ingress").stream()
        .filter(rule ->
            !List.of(Map.of("port", 9443L)).equals(Trees.listOrEmpty(Trees.at(rule, "ports"))))
        .toList();
  }
}
