package dev.mooring.acceptance;

import static dev.mooring.acceptance.Chart.refusal;
import static dev.mooring.acceptance.Chart.render;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that contradict each other: Helm says so in words, before it installs anything. */
class ChartRefusalsTest {
  private static final String ALL = Chart.ALL_SERVICES;

  @Test
  void nothingEnabled() {
    assertThat(refusal("syncAgent: {enabled: false}"))
        .contains(
            "nothing is enabled: set syncAgent.enabled, dependencyController.enabled or"
                + " dependencyWebhook.enabled; or kcpManifests.place");
  }

  @Test
  void imagesThatNoRegistryIsNamedFor() {
    assertThat(refusal(ALL, "image: {registry: ''}"))
        .contains("image.registry: the images are not published; build them, push them");
  }

  @ParameterizedTest
  @CsvSource({
    "syncAgent, wokers",
    "dependencyController, max-stalenes",
    "dependencyWebhook, rulesMaxStaleness",
  })
  void aSettingOfAServiceThatDoesNotExist(String service, String typo) {
    assertThat(refusal(ALL, "%s: {config: {%s: 1}}".formatted(service, typo)))
        .contains(typo, "config");
    assertThat(refusal(ALL, "dependencyWebhook: {config: {index: {%s: 1}}}".formatted(typo)))
        .contains(typo, "index");
  }

  /** It would serve its probes on loopback, and ask for no token. */
  @Test
  void aProfileForDevelopersMachines() {
    assertThat(refusal(ALL, "syncAgent: {profile: local}")).contains("profile", "'dev', 'prod'");
  }

  @Test
  void anIngressWithoutAHost() {
    assertThat(
            refusal(
                "syncAgent: {enabled: false}",
                "dependencyWebhook: {enabled: true, ingress: {enabled: true}}"))
        .contains("dependencyWebhook.ingress.host: name the host by which kcp reaches the Ingress");
  }

  @Test
  void anAgentWithoutAnEndpointSlice() {
    assertThat(refusal("{}"))
        .contains("syncAgent.apiExportEndpointSlice: name the APIExportEndpointSlice to work with");
  }

  @Test
  void everythingThatIsWrongAtOnce() {
    assertThat(
            refusal(
                "{dependencyController: {enabled: true}, dependencyWebhook: {rulesMaxStaleness: 9s}}"))
        .contains(
            "syncAgent.apiExportEndpointSlice",
            "dependencyController.webhook.url: say where kcp reaches the dependency webhook",
            "dependencyWebhook.rulesMaxStaleness is 9s");
  }

  @Test
  void aCertificateForNoHost() {
    assertThat(
            refusal(
                "syncAgent: {enabled: false}",
                "dependencyWebhook: {enabled: true, tls: {generate: true}}"))
        .contains(
            "dependencyWebhook.tls.generate is true, and the certificate would be for no host: name"
                + " the host that kcp calls in dependencyController.webhook.url");
  }

  @Test
  void bothSourcesOfACertificate() {
    assertThat(
            refusal(
                ALL,
                """
                dependencyWebhook:
                  tls: {generate: true, certManager: {enabled: true, issuerRef: {name: a}}}
                """))
        .contains(
            "dependencyWebhook.tls.generate and dependencyWebhook.tls.certManager.enabled are"
                + " both true");
  }

  @Test
  void aCertificateForAnotherHost() {
    assertThat(refusal(ALL, certificateFor("other.example.org")))
        .contains(
            "kcp calls webhook.example.org (dependencyController.webhook.url), and the certificate"
                + " is for other.example.org only");
    assertThat(
            refusal(
                ALL,
                certificateFor("webhook.example.org"),
                "dependencyController: {webhook: {url: 'https://203.0.113.7:9443/validate'}}"))
        .contains("has the address 203.0.113.7, and cert-manager's certificate is for names");
    assertThat(render(ALL, certificateFor("*.example.org"))).isNotEmpty();
  }

  private static String certificateFor(String name) {
    return "dependencyWebhook: {tls: {certManager: {enabled: true, dnsNames: ['%s'],"
            .formatted(name)
        + " issuerRef: {name: a}}}}";
  }

  @Test
  void aCertificateWithoutIssuerOrHost() {
    assertThat(
            refusal(
                "syncAgent: {enabled: false}",
                "dependencyWebhook: {enabled: true, tls: {certManager: {enabled: true}}}"))
        .contains(
            "dependencyWebhook.tls.certManager.issuerRef: name an issuer",
            "dependencyWebhook.tls.certManager.dnsNames: name the host that kcp calls");
  }

  @Test
  void howToVerifyCertificatesOfPortsThatHaveNone() {
    String verification = "metrics: {serviceMonitor: {tlsConfig: {insecureSkipVerify: true}}}";

    assertThat(refusal(ALL, verification))
        .contains(
            "metrics.serviceMonitor.tlsConfig says how certificates of management ports are"
                + " verified, and these ports serve HTTP: set pods.management.tls.secret");
    assertThat(
            render(
                ALL, verification, "dependencyWebhook: {management: {tls: {secret: some-secret}}}"))
        .isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "69s, {rulesMaxStaleness: 69s}",
    "69999ms, {rulesMaxStaleness: 69999ms}",
    "1m, {config: {rules-max-staleness: 1m}}",
    "60s, {properties: {mooring: {dependency-webhook: {rules-max-staleness: 60s}}}}",
  })
  void aMaximumStalenessBelowItsMinimum(String staleness, String webhook) {
    assertThat(refusal(ALL, "dependencyWebhook: " + webhook))
        .contains(
            "dependencyWebhook.rulesMaxStaleness is "
                + staleness
                + ", and kcp lets a watch be silent for up to a minute: at least 70s");
  }

  @Test
  void aMaximumStalenessOfTheControllerBelowItsMinimum() {
    assertThat(refusal(ALL, "dependencyController: {config: {max-staleness: 30s}}"))
        .contains("dependencyController.config.max-staleness is 30s", "at least 70s");
    assertThat(refusal(ALL, "dependencyWebhook: {index: {maxStaleness: 10ms}}"))
        .contains("dependencyWebhook.index.maxStaleness is 10ms: at least 1s");
  }

  @Test
  void aServiceThatCannotHaveWhatItIsGiven() {
    assertThat(refusal(ALL, "dependencyWebhook: {service: {externalTrafficPolicy: Local}}"))
        .contains(
            "dependencyWebhook.service.externalTrafficPolicy is Local, and a Service of type"
                + " ClusterIP has no external traffic");
    assertThat(refusal(ALL, "dependencyWebhook: {service: {nodePort: 30443}}"))
        .contains("dependencyWebhook.service.nodePort is 30443, and a Service of type ClusterIP");
    assertThat(
            refusal(
                ALL,
                "dependencyWebhook: {service: {type: NodePort, loadBalancerSourceRanges: [10.0.0.0/8]}}"))
        .contains("loadBalancerSourceRanges restricts nothing on a Service of type NodePort");
  }

  @Test
  void policiesThatRestrictNothing() {
    assertThat(refusal(ALL, "networkPolicy: {enabled: false, managementFrom: [{podSelector: {}}]}"))
        .contains("restrict nothing while networkPolicy.enabled is false");
  }

  @Test
  void rightsThatNothingGrants() {
    assertThat(
            refusal(
                ALL,
                "syncAgent: {rbac: {create: false, related: [{apiGroups: [''], resources: [secrets]}]}}"))
        .contains(
            "syncAgent.rbac names what the agent may do, and rbac.create is false, so nothing"
                + " grants it");
  }

  @Test
  void replicasThatWouldAllWrite() {
    assertThat(refusal(ALL, "syncAgent: {replicas: 2, config: {leader-election: false}}"))
        .contains(
            "syncAgent has 2 replicas and leader-election false: all of them would write at once");
  }

  @Test
  void aGracePeriodShorterThanTheDrain() {
    assertThat(refusal(ALL, "dependencyWebhook: {terminationGracePeriodSeconds: 49}"))
        .contains(
            "terminationGracePeriodSeconds 49 is too short for dependencyWebhook, which needs up"
                + " to 50 s");
    assertThat(refusal(ALL, "pods: {terminationGracePeriodSeconds: 10}"))
        .contains("is too short for syncAgent, which needs up to 20 s");
  }

  @Test
  void aBudgetThatHoldsUpTheDrainOfEveryNode() {
    assertThat(refusal(ALL, "podDisruptionBudget: {maxUnavailable: 0}")).contains("maxUnavailable");
    assertThat(refusal(ALL, "podDisruptionBudget: {maxUnavailable: 0%}"))
        .contains("maxUnavailable");
  }

  @Test
  void agentsThatWouldShareWhatTheyMayNot() {
    String two = "syncAgents: {a: {apiExportEndpointSlice: one}, b: {apiExportEndpointSlice: %s}}";
    String selected = "syncAgent: {publishedResourceSelector: team=a}";

    assertThat(refusal(two.formatted("one"), selected))
        .contains(
            "syncAgents.a and syncAgents.b are both called one-syncagent: they would share a Lease");
    assertThat(refusal(two.formatted("two")))
        .contains(
            "syncAgents.a.publishedResourceSelector: with several agents say by labels which",
            "syncAgents.b.publishedResourceSelector");
    assertThat(refusal(two.formatted("two"), "syncAgent: {enabled: false}"))
        .contains("syncAgents names agents, and syncAgent.enabled");
    assertThat(refusal("syncAgents: {a: {}}"))
        .contains("syncAgents.a.apiExportEndpointSlice: name the APIExportEndpointSlice");
    assertThat(render(two.formatted("two"), selected)).isNotEmpty();
  }

  @Test
  void agentsWithNamesThatObjectsCannotHave() {
    for (String name : List.of("Big", "a_b", "a-", "a".repeat(33))) {
      assertThat(refusal("syncAgents: {%s: {apiExportEndpointSlice: x}}".formatted(name)))
          .contains(
              "syncAgents."
                  + name
                  + ": objects are called by this name, so it has to be a DNS label");
    }
    for (String name : List.of("x-sync-agent", "dependency-webhook")) {
      assertThat(refusal("syncAgents: {%s: {apiExportEndpointSlice: x}}".formatted(name)))
          .contains("syncAgents." + name + ": objects are called by the service and this name");
    }
  }

  @Test
  void valuesThatItDoesNotKnow() {
    assertThat(refusal("syncAgent: {replica: 2}")).contains("replica");
    assertThat(refusal("dependencyController: {webhook: {url: 'http://a.example.org/validate'}}"))
        .contains("url");
    assertThat(refusal("syncAgent: {image: {digest: latest}}")).contains("digest");
  }
}
