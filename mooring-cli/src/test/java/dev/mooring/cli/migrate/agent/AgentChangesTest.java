package dev.mooring.cli.migrate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.migrate.Change;
import dev.mooring.cli.migrate.Change.Verdict;
import dev.mooring.cli.migrate.agent.AgentFacts.Type;
import dev.mooring.cli.published.ExportRendering;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.content.decide.GoAgentState;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.published.SyncMarks;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgentChangesTest {
  private static final ProjectLayout LAYOUT = ProjectLayout.find();
  private static final String AGENT = "certs-syncagent";
  private static final LogicalCluster CLUSTER = new LogicalCluster("2hh1nlb5kf5kw3rh");
  private static final ObjectKey SHOP = new ObjectKey(CLUSTER, "default", "shop");
  private static final Map<String, Object> SPEC =
      Map.of("secretName", "shop-tls", "dnsNames", List.of("shop.example.org"));
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");

  private KubeObject resource = example("published.yaml");
  private KubeObject crd = example("crd.yaml");
  private List<String> flags = List.of("--enable-leader-election");
  private List<KubeObject> sources = List.of(source());
  private List<KubeObject> objects = List.of(copy());
  private List<KubeObject> secrets = List.of(goState(SPEC));
  private List<KubeObject> schemas = List.of();
  private List<KubeObject> bindings = List.of();
  private Optional<KubeObject> lease = Optional.empty();
  private KubeObject export;

  AgentChangesTest() {
    export = rendering().export();
    schemas = rendering().schemas();
  }

  @Test
  void keepsWhatApiSyncagentLeftInStep() {
    assertThat(changes()).allMatch(change -> change.verdict() == Verdict.SAME);
    assertThat(reasons())
        .containsExactlyInAnyOrder(
            "Understood", "Shared", "SchemaKept", "ClaimsKept", "CopyKept", "StateTakenOver");
  }

  /** The trap of going back and coming again. */
  @Test
  void namesAnOlderStateThatOutranksApiSyncagents() {
    objects =
        List.of(
            copy()
                .with(
                    KubeJson.writeText(Map.of("spec", Map.of("secretName", "old"))),
                    "metadata",
                    "annotations",
                    SyncMarks.LAST_KNOWN_STATE));

    Change change = change("OldState");

    assertThat(change.verdict()).isEqualTo(Verdict.ACT);
    assertThat(change.message())
        .contains("default/shop in 2hh1nlb5kf5kw3rh")
        .contains("kubectl annotate -A --all certificates.pki.example.corp")
        .contains("syncagent.kcp.io/last-known-state-");
  }

  @Test
  void namesOldRecordsOnlyIfApiSyncagentHasRun() {
    KubeObject records =
        KubeObject.of(Map.of("metadata", Map.of("name", "mooring-related-0a9a11182bd7933348b2")));
    secrets = List.of(records);
    assertThat(reasons()).doesNotContain("OldRecords");

    secrets = List.of(records, goState(SPEC));
    assertThat(change("OldRecords").verdict()).isEqualTo(Verdict.ACT);
  }

  @Test
  void saysThatACopyWithoutStateIsAdoptedAsItIs() {
    secrets = List.of();
    objects = List.of(copy().with("changed", "spec", "secretName"));

    assertThat(change("StateMissing").verdict()).isEqualTo(Verdict.CHANGES);
    assertThat(reasons()).doesNotContain("CopyPatched");
  }

  @Test
  void namesFieldsThatTheAgentWrites() {
    sources = List.of(source().with("other", "spec", "secretName"));

    assertThat(change("CopyPatched").message()).contains("spec.secretName").doesNotContain("other");
  }

  @Test
  void saysThatACopyKeepsAName() {
    objects = List.of(copy().with("by-hand", "metadata", "name"));

    assertThat(change("NameDiffers").message())
        .contains("consumer-2hh1nlb5kf5kw3rh/by-hand, not consumer-2hh1nlb5kf5kw3rh/default-shop");
  }

  @Test
  void namesTheAgentWhoseCopiesThereAre() {
    objects = List.of(copy().with("old-name", "metadata", "labels", SyncMarks.AGENT_NAME));

    assertThat(change("AnotherAgentsCopy").verdict()).isEqualTo(Verdict.ACT);
    assertThat(change("AnotherAgentsCopy").message()).contains("--agent-name=old-name");
  }

  @Test
  void refusesANameThatAnotherSourcesCopyHas() {
    var other = new ObjectKey(CLUSTER, "default", "other");
    objects =
        List.of(
            copy()
                .with(
                    new SourceMarks(other, AGENT, Optional.empty()).labels(), "metadata", "labels")
                .with("other", "metadata", "annotations", SyncMarks.SOURCE_NAME));

    assertThat(change("NameCollision").verdict()).isEqualTo(Verdict.REFUSED);
  }

  @Test
  void saysThatASourceGetsItsFirstCopy() {
    objects = List.of();

    assertThat(change("CopyCreated").verdict()).isEqualTo(Verdict.CHANGES);
  }

  @Test
  void replacesASchemaOfTheSameContent() {
    listsSchema("v1234.certificates.certificates.example.corp", schemas.getFirst().map("spec"));

    Change change = change("SchemaReplaced");

    assertThat(change.verdict()).isEqualTo(Verdict.CHANGES);
    assertThat(change.message()).contains("the same fields").contains("in place of v1234.");
  }

  @Test
  void warnsOfASchemaThatBreaksObjects() {
    Map<String, Object> before = schemas.getFirst().map("spec");
    crd = example("crd-new.yaml");
    listsSchema("v1234.certificates.certificates.example.corp", before);

    Change change = change("SchemaBreaks");

    assertThat(change.verdict()).isEqualTo(Verdict.ACT);
    assertThat(change.message()).contains("spec.issuer");
  }

  @Test
  void namesBindingsThatDoNotAcceptANewClaim() {
    export =
        export.with(
            export.list("spec", "permissionClaims").stream()
                .filter(claim -> !"secrets".equals(Trees.at(claim, "resource")))
                .toList(),
            "spec",
            "permissionClaims");
    bindings = List.of(binding("accepts", "Accepted"), binding("rejects", "Rejected"));

    Change change = change("ClaimAdded");

    assertThat(change.verdict()).isEqualTo(Verdict.ACT);
    assertThat(change.message())
        .contains("secrets")
        .contains("1 of 2 APIBindings")
        .contains("rejects in root:team");
  }

  @Test
  void leavesAnExternalExportAlone() {
    resource = resource.with("External", "spec", "publishing");

    assertThat(change("External").verdict()).isEqualTo(Verdict.SAME);
    assertThat(reasons()).doesNotContain("SchemaAdded", "SchemaKept");
  }

  @Test
  void refusesAMistake() {
    resource = resource.with("{{ lowr }}", "spec", "naming", "name");

    assertThat(change("InvalidTemplate").verdict()).isEqualTo(Verdict.REFUSED);
  }

  @Test
  void refusesAnExportThatCarriesAnotherAgentsName() {
    export =
        export
            .with("someone", "metadata", "annotations", SyncMarks.AGENT_NAME)
            .with(List.of(), "spec", "resources");

    assertThat(change("NotPublished").message()).contains("carries the name of agent someone");
  }

  @Test
  void asksToStopAnAgentThatHoldsTheLease() {
    flags = List.of();
    lease =
        Optional.of(
            KubeObject.of(
                Map.of(
                    "spec",
                    Map.of(
                        "holderIdentity", "pod-1",
                        "leaseDurationSeconds", 15,
                        "renewTime", "2026-05-01T11:59:50.000000Z"))));
    assertThat(change("Held").verdict()).isEqualTo(Verdict.ACT);

    lease = lease.map(held -> held.with("2026-05-01T11:00:00.000000Z", "spec", "renewTime"));
    assertThat(change("NotElected").verdict()).isEqualTo(Verdict.CHANGES);
  }

  @Test
  void namesASwitchThatTheProgramsReadDifferently() {
    flags = List.of("--enable-leader-election", "false");

    assertThat(change("LeaderElection").verdict()).isEqualTo(Verdict.ACT);
  }

  private void listsSchema(String name, Map<String, Object> spec) {
    schemas =
        List.of(
            KubeObject.of(
                Map.of(
                    "metadata",
                    Map.of("name", name, "labels", Map.of(SyncMarks.AGENT_NAME, AGENT)),
                    "spec",
                    spec)));
    Map<String, Object> entry =
        new HashMap<>(Trees.mapOrEmpty(export.list("spec", "resources").getFirst()));
    entry.put("schema", name);
    export = export.with(List.of(entry), "spec", "resources");
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
    var all =
        new ArrayList<>(
            List.of(
                "--kcp-kubeconfig=kcp.kubeconfig",
                "--apiexportendpointslice-ref=certs",
                "--namespace=kcp-system"));
    all.addAll(flags);
    return AgentChanges.of(
        new AgentFacts(
            AgentFlags.read(all),
            Optional.empty(),
            List.of(
                new Type(
                    resource,
                    Publication.of(resource, Optional.of(crd), ""),
                    sources,
                    objects,
                    List.of())),
            "certs",
            Optional.of(export),
            schemas,
            bindings,
            secrets,
            lease,
            Map.of(),
            List.of(),
            List.of()),
        NOW);
  }

  /** An export as the agent leaves it. */
  private ExportRendering rendering() {
    var rendering =
        new ExportRendering(
            AGENT,
            new ExportRendering.Writer.Anyone(),
            KubeObject.of(
                Map.of(
                    "apiVersion",
                    "apis.kcp.io/v1alpha2",
                    "kind",
                    "APIExport",
                    "metadata",
                    Map.of("name", "certs"),
                    "spec",
                    Map.of())),
            List.of());
    rendering.publish(resource, Publication.of(resource, Optional.of(crd), ""));
    return rendering;
  }

  private static KubeObject source() {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "certificates.example.corp/v1",
            "kind",
            "Certificate",
            "metadata",
            Map.of(
                "name", "shop",
                "namespace", "default",
                "uid", "1",
                "resourceVersion", "7",
                "finalizers", List.of(SyncMarks.FINALIZER),
                "annotations", Map.of("kcp.io/cluster", CLUSTER.name())),
            "spec",
            SPEC));
  }

  private static KubeObject copy() {
    var marks = new SourceMarks(SHOP, AGENT, Optional.empty());
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "pki.example.corp/v1",
            "kind",
            "Certificate",
            "metadata",
            Map.of(
                "name",
                "default-shop",
                "namespace",
                "consumer-" + CLUSTER.name(),
                "uid",
                "2",
                "resourceVersion",
                "9",
                "labels",
                marks.labels(),
                "annotations",
                marks.annotations()),
            "spec",
            SPEC));
  }

  /** As api-syncagent leaves it. */
  private static KubeObject goState(Map<String, Object> spec) {
    String state =
        KubeJson.writeText(
            Map.of(
                "apiVersion",
                "certificates.example.corp/v1",
                "kind",
                "Certificate",
                "metadata",
                Map.of("name", "shop", "namespace", "default"),
                "spec",
                spec));
    var key = new StateKey("certificates.example.corp/v1", "Certificate", SHOP);
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of(
                "name",
                GoAgentState.secretName(key),
                "labels",
                Map.of(SyncMarks.SOURCE_CLUSTER, CLUSTER.name())),
            "data",
            Map.of(
                GoAgentState.entryName(SHOP),
                Base64.getEncoder().encodeToString(state.getBytes(StandardCharsets.UTF_8)))));
  }

  private static KubeObject binding(String name, String state) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", name, "annotations", Map.of("kcp.io/path", "root:team")),
            "spec",
            Map.of(
                "permissionClaims",
                List.of(Map.of("group", "", "resource", "secrets", "state", state)))));
  }

  private static KubeObject example(String name) {
    return Manifests.ofFile(LAYOUT.file("docs/how-to/example/" + name)).getFirst();
  }
}
