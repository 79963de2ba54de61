package dev.mooring.cli.migrate.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.migrate.Change;
import dev.mooring.cli.migrate.Change.Verdict;
import dev.mooring.depcontroller.rules.decide.ExportKey;
import dev.mooring.depcontroller.rules.decide.Participants;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRuleReader;
import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProtectionChangesTest {
  private static final String SCHEMA = "v1alpha1-4.dependencyrules.dependencies.opendefense.cloud";
  private static final LogicalCluster NETWORK = new LogicalCluster("2network");
  private static final LogicalCluster COMPUTE = new LogicalCluster("1compute");
  private static final String URL = "https://webhook.example.org:9443/validate";

  private String path = "root:network";
  private String dependentExport = "compute.example.org";
  private String schema = SCHEMA;
  private List<String> flags = List.of("--webhook-url=" + URL);
  private String claim = "Accepted";
  private Optional<WebhookProbe> webhook = Optional.empty();
  private Optional<KubeObject> configuration = Optional.of(ofGo(URL));

  @Test
  void replacesTheConfigurationInPlace() {
    assertThat(reasons()).containsExactly("Understood", "SchemaKept", "Counts", "Replaced");
    assertThat(change("Replaced").verdict()).isEqualTo(Verdict.CHANGES);
    assertThat(change("Replaced").object()).endsWith("dependency-controller in root:network");
    assertThat(change("Replaced").message())
        .contains("under the same name")
        .contains("bypass-audit.dependencies.opendefense.cloud")
        .doesNotContain("covers")
        .doesNotContain("URL");
  }

  @Test
  void namesTheUrlThatChanges() {
    configuration = Optional.of(ofGo("https://old.example.org/validate"));

    assertThat(change("Replaced").message())
        .contains("URL " + URL)
        .contains("for https://old.example.org/validate");

    configuration = Optional.of(ofGo("https://old.example.org/validate/2network.key.signature"));
    assertThat(change("Replaced").message()).doesNotContain("signature");
  }

  @Test
  void createsAConfigurationThatIsMissing() {
    configuration = Optional.empty();

    assertThat(change("Created").message()).isEqualTo("covers vpcs.network.example.org");
  }

  @Test
  void namesFlagsWithoutEffectAndRefusesUnknownOnes() {
    flags = List.of("--webhook-url=" + URL, "--health-probe-bind-address=0", "--zap-log-level=5");

    assertThat(
            changes().stream()
                .filter(change -> change.object().equals("flags"))
                .map(Change::reason))
        .containsExactly("Understood", "NoEffect", "HealthStaysOn");
    assertThat(change("HealthStaysOn").message()).endsWith("port 8086");

    flags = List.of("--nosuch=1");
    assertThatThrownBy(this::changes)
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("--nosuch");
  }

  @Test
  void saysWhatAHandshakeWithTheWebhookComesTo() {
    webhook = Optional.of(new WebhookProbe.Trusted(Instant.parse("2027-01-01T00:00:00Z")));
    assertThat(change("Trusted").verdict()).isEqualTo(Verdict.SAME);
    assertThat(change("Trusted").object()).isEqualTo("webhook " + URL);

    webhook = Optional.of(new WebhookProbe.Trusted(Instant.parse("2026-05-02T00:00:00Z")));
    assertThat(change("EndsSoon").verdict()).isEqualTo(Verdict.ACT);

    webhook = Optional.of(new WebhookProbe.Untrusted("No name matching webhook.example.org found"));
    assertThat(change("Untrusted").verdict()).isEqualTo(Verdict.ACT);
    assertThat(change("Untrusted").message()).contains("No name matching");

    webhook = Optional.of(new WebhookProbe.Silent("Connection refused"));
    assertThat(change("Unreachable").message())
        .contains("Connection refused")
        .contains("run this check where kcp runs");
  }

  /** The Go program never looks at the name. */
  @Test
  void refusesARuleThatNamesAnotherExport() {
    dependentExport = "typo.example.org";

    assertThat(change("DependentExportNotFound").verdict()).isEqualTo(Verdict.REFUSED);
    assertThat(change("DependentExportNotFound").object())
        .isEqualTo("DependencyRule/machines in root:compute");
  }

  @Test
  void saysThatARuleAboutANestedWorkspaceBeginsToCount() {
    path = "root:org:network";

    assertThat(change("BeginsToCount").verdict()).isEqualTo(Verdict.CHANGES);
    assertThat(reasons()).doesNotContain("Counts");
  }

  @Test
  void asksForTheClaim() {
    claim = "Rejected";

    assertThat(change("ClaimNotAccepted").verdict()).isEqualTo(Verdict.ACT);
  }

  @Test
  void namesFlagsWithoutEffect() {
    flags =
        List.of("--webhook-url=" + URL, "--zap-log-level=debug", "--health-probe-bind-address=0");

    assertThat(change("NoEffect").message()).startsWith("--zap-log-level");
    assertThat(reasons()).contains("HealthStaysOn");
  }

  @Test
  void asksForTheUrlOfTheWebhook() {
    flags = List.of();

    assertThat(change("WebhookUrlMissing").verdict()).isEqualTo(Verdict.ACT);
  }

  @Test
  void saysThatTheOldSchemaLacksFields() {
    schema = "v260101.dependencyrules.dependencies.opendefense.cloud";

    assertThat(change("OldSchema").verdict()).isEqualTo(Verdict.CHANGES);
  }

  private Change change(String reason) {
    return changes().stream()
        .filter(change -> change.reason().equals(reason))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + reason + " in " + changes()));
  }

  private List<String> reasons() {
    return changes().stream().map(Change::reason).toList();
  }

  private List<Change> changes() {
    List<KubeObject> bindings = List.of(binding(NETWORK, path), binding(COMPUTE, "root:compute"));
    var configurations = new HashMap<LogicalCluster, List<KubeObject>>();
    configuration.ifPresent(found -> configurations.put(NETWORK, List.of(found)));
    return ProtectionChanges.of(
        new ProtectionFacts(
            ProtectionFlags.read(flags),
            new ResolvedRules(
                List.of(DependencyRuleReader.read(rule())),
                Map.of(new WorkspacePath(path), new Resolution.Known(NETWORK)),
                Map.of(
                    new ExportKey(COMPUTE, "compute.example.org"),
                    exporting("compute.example.org", "machines"),
                    new ExportKey(COMPUTE, "typo.example.org"),
                    new ExportReading.Absent(),
                    new ExportKey(NETWORK, "network.example.org"),
                    exporting("network.example.org", "vpcs")),
                Map.of(),
                Map.of(
                    NETWORK, new WorkspacePath(path), COMPUTE, new WorkspacePath("root:compute")),
                Participants.of(bindings)),
            schema,
            bindings,
            configurations,
            List.of(),
            "",
            webhook,
            List.of()),
        SCHEMA,
        Instant.parse("2026-05-01T12:00:00Z"));
  }

  private static ExportReading exporting(String group, String resource) {
    return new ExportReading.Found(
        ExportFacts.of(
            KubeObject.of(
                Map.of(
                    "spec",
                    Map.of("resources", List.of(Map.of("group", group, "name", resource)))))));
  }

  private KubeObject rule() {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", "machines", "annotations", Map.of("kcp.io/cluster", COMPUTE.name())),
            "spec",
            Map.of(
                "dependent",
                Map.of(
                    "apiExportName", dependentExport,
                    "group", "compute.example.org",
                    "version", "v1",
                    "kind", "Machine",
                    "resource", "machines"),
                "dependencies",
                List.of(
                    Map.of(
                        "apiExportRef",
                        Map.of("path", path, "name", "network.example.org"),
                        "group",
                        "network.example.org",
                        "version",
                        "v1",
                        "resource",
                        "vpcs",
                        "fieldRef",
                        Map.of("path", ".spec.vpc"))))));
  }

  private KubeObject binding(LogicalCluster cluster, String at) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of(
                "name",
                "dependencies",
                "annotations",
                Map.of("kcp.io/cluster", cluster.name(), "kcp.io/path", at)),
            "spec",
            Map.of(
                "permissionClaims",
                List.of(
                    Map.of(
                        "group",
                        "admissionregistration.k8s.io",
                        "resource",
                        "validatingwebhookconfigurations",
                        "selector",
                        Map.of("matchAll", true),
                        "state",
                        claim)))));
  }

  /** As the Go program installs it. */
  private static KubeObject ofGo(String url) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of(
                "name",
                "dependency-controller",
                "annotations",
                Map.of("kcp.io/cluster", NETWORK.name())),
            "webhooks",
            List.of(
                Map.of(
                    "name",
                    "dependency-controller.dependencies.opendefense.cloud",
                    "clientConfig",
                    Map.of("url", url),
                    "failurePolicy",
                    "Fail",
                    "rules",
                    List.of(
                        Map.of(
                            "apiGroups", List.of("network.example.org"),
                            "apiVersions", List.of("v1"),
                            "resources", List.of("vpcs"),
                            "operations", List.of("DELETE")))))));
  }
}
