package dev.mooring.syncagent.publish.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.publish.decide.PublicationPlan.ReportStatus;
import dev.mooring.syncagent.publish.decide.PublicationPlan.Settled;
import dev.mooring.syncagent.publish.decide.PublicationPlan.UpdateExport;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.decide.SyncState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A type whose schema and export come from Git. */
class ExternalPublicationTest {
  private static final Map<String, Object> STRING = Map.of("type", "string");
  private static final Map<String, Object> TWO_FIELDS = Map.of("a", STRING, "b", STRING);
  private static final Map<String, Object> ONE_FIELD = Map.of("a", STRING);

  @Test
  void writesNothingButTheStatusInEveryState() {
    for (KubeObject export : List.of(export(), lists(ONE_FIELD), lists(TWO_FIELDS))) {
      for (ListedSchema listed :
          List.of(
              new ListedSchema.None(),
              new ListedSchema.Gone("gone"),
              found(ONE_FIELD),
              found(TWO_FIELDS))) {
        PublicationPlan first = PublicationPlanner.plan(seen(resource(), export, listed));
        assertThat(first).isInstanceOf(ReportStatus.class);
        KubeObject reported = resource().with(((ReportStatus) first).status(), "status");
        assertThat(PublicationPlanner.plan(seen(reported, export, listed)))
            .isInstanceOf(Settled.class);
      }
    }
  }

  @Test
  void isInStepWithTheSchemaThatTheServiceClusterServes() {
    PublicationSnapshot seen = seen(resource(), lists(TWO_FIELDS), found(TWO_FIELDS));

    assertThat(conditions(seen))
        .containsExactlyInAnyOrder(
            "Accepted=True Accepted",
            "SchemaPublished=True SchemaPublished",
            "SchemaUpToDate=True SchemaUpToDate",
            "Exported=True Exported",
            "Syncing=True Syncing");
    assertThat(PublicationPlanner.problem(seen)).isEmpty();
    assertThat(PublicationPlanner.serving(seen)).contains(schema(TWO_FIELDS));
  }

  @Test
  void namesWhatAnOlderSchemaLacksAndSyncsByIt() {
    PublicationSnapshot seen = seen(resource(), lists(ONE_FIELD), found(ONE_FIELD));

    assertThat(conditions(seen))
        .contains("SchemaUpToDate=False SchemaDrift", "Exported=True Exported")
        .noneMatch(condition -> condition.startsWith("SchemaCompatible"));
    assertThat(message(seen, "SchemaUpToDate"))
        .contains("v1: b: only on the service cluster", "mooring render")
        .contains(schema(TWO_FIELDS).schemaName());
    assertThat(PublicationPlanner.serving(seen).map(ProjectedSchema::schemaName))
        .contains(schema(ONE_FIELD).schemaName());
  }

  @Test
  void namesWhatTheServiceClusterNoLongerAccepts() {
    KubeObject narrower = found(Map.of("a", STRING, "b", STRING, "c", STRING)).schema();
    PublicationSnapshot seen =
        seen(resource(), lists(TWO_FIELDS), new ListedSchema.Found(narrower));

    assertThat(conditions(seen)).contains("SchemaCompatible=False IncompatibleExport");
    assertThat(message(seen, "SchemaCompatible")).contains("v1: c: field removed");
    assertThat(message(seen, "SchemaUpToDate")).contains("v1: c: only in the export");
  }

  @Test
  void comparesContentAndNotNames() {
    KubeObject edited =
        schema(ONE_FIELD).schema("agent").with(schema(TWO_FIELDS).schemaName(), "metadata", "name");
    PublicationSnapshot seen = seen(resource(), lists(TWO_FIELDS), new ListedSchema.Found(edited));

    assertThat(conditions(seen)).contains("SchemaUpToDate=False SchemaDrift");
  }

  @Test
  void saysThatTheExportListsNothingOrASchemaThatIsNotThere() {
    PublicationSnapshot bare = seen(resource(), export(), new ListedSchema.None());
    PublicationSnapshot gone = seen(resource(), lists(ONE_FIELD), new ListedSchema.Gone("v1.gone"));

    assertThat(conditions(bare)).contains("Exported=False SchemaNotListed");
    assertThat(conditions(gone)).contains("Exported=False SchemaNotFound");
    assertThat(message(gone, "Exported")).contains("v1.gone, which does not exist");
    assertThat(PublicationPlanner.syncing(gone)).isEqualTo(new PublicationPlan.SyncChange.None());
  }

  @Test
  void namesTheClaimToAdd() {
    KubeObject resource =
        resource()
            .with(
                List.of(
                    Map.of(
                        "identifier", "tls",
                        "origin", "service",
                        "kind", "Secret",
                        "object", Map.of("reference", Map.of("path", "a")))),
                "spec",
                "related");
    PublicationSnapshot seen = seen(resource, lists(TWO_FIELDS), found(TWO_FIELDS));

    assertThat(conditions(seen)).contains("Exported=False ClaimMissing", "Syncing=True Syncing");
    assertThat(message(seen, "Exported"))
        .contains("{group: \"\", resource: secrets, verbs: [\"*\"]}")
        .doesNotContain("resource: events");
  }

  @Test
  void leavesNoDriftBehindWhereTheAgentWritesAgain() {
    PublicationSnapshot drifted = seen(resource(), lists(ONE_FIELD), found(ONE_FIELD));
    KubeObject reported =
        resource()
            .with(((ReportStatus) PublicationPlanner.plan(drifted)).status(), "status")
            .without("spec", "publishing");
    PublicationSnapshot managed =
        snapshot(reported, new ExportLookup.Found(lists(ONE_FIELD)), found(ONE_FIELD));

    var report = (ReportStatus) PublicationPlanner.plan(managed);

    assertThat(report.status().toString()).doesNotContain("SchemaUpToDate");
    assertThat(
            PublicationPlanner.plan(
                snapshot(
                    reported.with(report.status(), "status"),
                    new ExportLookup.Found(lists(ONE_FIELD)),
                    found(ONE_FIELD))))
        .isInstanceOf(UpdateExport.class);
  }

  private static List<String> conditions(PublicationSnapshot seen) {
    return Trees.listOrEmpty(status(seen).get("conditions")).stream()
        .map(condition ->
            Trees.at(condition, "type")
                + "="
                + Trees.at(condition, "status")
                + " "
                + Trees.at(condition, "reason"))
        .toList();
  }

  private static String message(PublicationSnapshot seen, String type) {
    return Trees.listOrEmpty(status(seen).get("conditions")).stream()
        .filter(condition -> type.equals(Trees.at(condition, "type")))
        .map(condition -> Trees.textOrEmpty(Trees.at(condition, "message")))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Object> status(PublicationSnapshot seen) {
    return ((ReportStatus) PublicationPlanner.plan(seen)).status();
  }

  private static PublicationSnapshot seen(
      KubeObject resource, KubeObject export, ListedSchema listed) {
    return snapshot(resource, new ExportLookup.External(export), listed);
  }

  private static PublicationSnapshot snapshot(
      KubeObject resource, ExportLookup export, ListedSchema listed) {
    return new PublicationSnapshot(
        resource,
        Publication.of(resource, Optional.of(CertificateCrd.withFields(TWO_FIELDS)), ""),
        new PublicationSnapshot.Agent("agent", Map.of(), StatusFields.ALL),
        export,
        Optional.of(schema(TWO_FIELDS).schema("agent")),
        listed,
        Optional.empty(),
        new SyncState.Running(Optional.empty(), List.of()),
        Instant.parse("2026-01-01T10:00:00Z"));
  }

  private static ListedSchema.Found found(Map<String, Object> fields) {
    return new ListedSchema.Found(schema(fields).schema("agent"));
  }

  private static KubeObject export() {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", "certs", "annotations", Map.of(SyncMarks.AGENT_NAME, "agent")),
            "spec",
            Map.of(
                "permissionClaims",
                List.of(Map.of("group", "", "resource", "events", "verbs", List.of("*"))))));
  }

  private static KubeObject lists(Map<String, Object> fields) {
    return export()
        .with(
            List.of(
                Map.of(
                    "group",
                    "certs.io",
                    "name",
                    "certificates",
                    "schema",
                    schema(fields).schemaName(),
                    "storage",
                    Map.of("crd", Map.of()))),
            "spec",
            "resources");
  }

  private static ProjectedSchema schema(Map<String, Object> fields) {
    return ((Publication.Ready)
            Publication.of(resource(), Optional.of(CertificateCrd.withFields(fields)), ""))
        .schema();
  }

  private static KubeObject resource() {
    return KubeObject.of(
        Map.of(
            "metadata", Map.of("name", "certs", "uid", "u", "generation", 2),
            "spec",
                Map.of(
                    "publishing",
                    "External",
                    "resource",
                    Map.of("apiGroup", "certs.io", "kind", "Certificate"))));
  }
}
