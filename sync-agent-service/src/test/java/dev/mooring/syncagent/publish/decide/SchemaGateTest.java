package dev.mooring.syncagent.publish.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.publish.decide.PublicationPlan.ReportStatus;
import dev.mooring.syncagent.publish.decide.PublicationPlan.UpdateExport;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.decide.SyncState;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A CRD changes while its type is published. */
class SchemaGateTest {
  private static final Instant NOW = Instant.parse("2026-01-01T10:00:00Z");
  private static final Map<String, Object> TWO_FIELDS =
      Map.of("a", Map.of("type", "string"), "b", Map.of("type", "string"));
  private static final Map<String, Object> ONE_FIELD = Map.of("a", Map.of("type", "string"));

  @Test
  void appliesAHarmlessChangeAndSaysOnlyWhichSchemaComes() {
    var report = (ReportStatus) plan(resource("RequireApproval"), ONE_FIELD, TWO_FIELDS);

    assertThat(Trees.listOrEmpty(report.status().get("conditions")))
        .extracting(condition -> Trees.at(condition, "type"))
        .containsExactly("Accepted", "SchemaPublished", "Exported");
    assertThat(
            plan(
                resource("RequireApproval").with(report.status(), "status"), ONE_FIELD, TWO_FIELDS))
        .isInstanceOf(UpdateExport.class);
  }

  @Test
  void saysWhatBreaksBeforeItAppliesTheChange() {
    var report = (ReportStatus) plan(resource("Apply"), TWO_FIELDS, ONE_FIELD);

    Object condition = condition(report, "SchemaCompatible");
    assertThat(Trees.at(condition, "reason")).isEqualTo("BreakingChange");
    assertThat((String) Trees.at(condition, "message")).contains("v1: b: field removed");

    KubeObject reported = resource("Apply").with(report.status(), "status");
    var update = (UpdateExport) plan(reported, TWO_FIELDS, ONE_FIELD);
    assertThat(update.news().schemasAdded()).containsExactly(schema(ONE_FIELD).schemaName());
    assertThat(update.news().schemasRemoved()).containsExactly(schema(TWO_FIELDS).schemaName());
  }

  @Test
  void keepsSayingSoAfterItWasApplied() {
    var report = (ReportStatus) plan(resource("Apply"), TWO_FIELDS, ONE_FIELD);
    KubeObject reported = resource("Apply").with(report.status(), "status");
    KubeObject export =
        MergePatch.apply(
            export(TWO_FIELDS), ((UpdateExport) plan(reported, TWO_FIELDS, ONE_FIELD)).patch());

    var settled =
        (ReportStatus)
            PublicationPlanner.plan(seen(reported, ONE_FIELD, export, new ListedSchema.None()));

    assertThat(Trees.at(condition(settled, "SchemaCompatible"), "reason"))
        .isEqualTo("BreakingChange");
    assertThat(settled.status())
        .containsEntry("resourceSchemaName", schema(ONE_FIELD).schemaName());
  }

  @Test
  void takesItBackWithTheNextHarmlessChange() {
    var broke = (ReportStatus) plan(resource("Apply"), TWO_FIELDS, ONE_FIELD);
    KubeObject reported = resource("Apply").with(broke.status(), "status");

    var report = (ReportStatus) plan(reported, ONE_FIELD, TWO_FIELDS);

    assertThat(Trees.at(condition(report, "SchemaCompatible"), "status")).isEqualTo("True");
  }

  @Test
  void holdsABreakingChangeUntilThisVeryOneIsApproved() {
    KubeObject resource = resource("RequireApproval");
    var held = (ReportStatus) plan(resource, TWO_FIELDS, ONE_FIELD);
    Object condition = condition(held, "SchemaCompatible");

    assertThat(Trees.at(condition, "reason")).isEqualTo("ApprovalRequired");
    assertThat((String) Trees.at(condition, "message"))
        .contains(SyncMarks.APPROVED_SCHEMA + "=" + schema(ONE_FIELD).schemaName());
    assertThat(held.status()).containsEntry("resourceSchemaName", schema(TWO_FIELDS).schemaName());
    assertThat(Trees.at(condition(held(resource, "another"), "SchemaCompatible"), "reason"))
        .isEqualTo("ApprovalRequired");

    KubeObject approved = approving(resource, schema(ONE_FIELD).schemaName());
    var report = (ReportStatus) plan(approved, TWO_FIELDS, ONE_FIELD);
    assertThat(Trees.at(condition(report, "SchemaCompatible"), "reason"))
        .isEqualTo("BreakingChange");
    assertThat(plan(approved.with(report.status(), "status"), TWO_FIELDS, ONE_FIELD))
        .isInstanceOf(UpdateExport.class);
  }

  @Test
  void syncsByTheOldSchemaWhileTheNewOneIsHeld() {
    PublicationSnapshot seen = snapshot(resource("RequireApproval"), TWO_FIELDS, ONE_FIELD);

    assertThat(PublicationPlanner.serving(seen).map(ProjectedSchema::schemaName))
        .contains(schema(TWO_FIELDS).schemaName());
    assertThat(PublicationPlanner.serving(seen).map(ProjectedSchema::inKcp))
        .contains(schema(ONE_FIELD).inKcp());
    assertThat(PublicationPlanner.problem(seen)).isPresent();
  }

  @Test
  void addsMissingClaimsWhileASchemaIsHeld() {
    KubeObject bare = export(TWO_FIELDS).without("spec", "permissionClaims");

    var update =
        (UpdateExport)
            PublicationPlanner.plan(
                seen(
                    resource("RequireApproval"),
                    ONE_FIELD,
                    bare,
                    new ListedSchema.Found(schema(TWO_FIELDS).schema("agent"))));

    assertThat(update.news().claimsAdded()).containsExactly("events");
    assertThat(update.news().schemasAdded()).isEmpty();
  }

  @Test
  void letsNoSchemaTakeThePlaceOfOneThatIsGoneUntilItIsApproved() {
    KubeObject resource = resource("RequireApproval");

    var held = (ReportStatus) planWithoutTheListed(resource);

    Object condition = condition(held, "SchemaCompatible");
    assertThat(Trees.at(condition, "reason")).isEqualTo("ApprovalRequired");
    assertThat((String) Trees.at(condition, "message"))
        .contains(schema(ONE_FIELD).schemaName() + ": does not exist")
        .contains(SyncMarks.APPROVED_SCHEMA + "=" + schema(TWO_FIELDS).schemaName());
    assertThat(held.status()).containsEntry("resourceSchemaName", schema(ONE_FIELD).schemaName());

    KubeObject approved = approving(resource, schema(TWO_FIELDS).schemaName());
    var report = (ReportStatus) planWithoutTheListed(approved);
    assertThat(planWithoutTheListed(approved.with(report.status(), "status")))
        .isInstanceOf(UpdateExport.class);
  }

  @Test
  void holdsARenameUntilItIsApprovedAndSyncsByTheOldNameMeanwhile() {
    KubeObject resource = renamed("RequireApproval");
    PublicationSnapshot seen = afterRename(resource);

    var held = (ReportStatus) PublicationPlanner.plan(seen);

    Object condition = condition(held, "SchemaCompatible");
    assertThat(Trees.at(condition, "reason")).isEqualTo("ApprovalRequired");
    assertThat((String) Trees.at(condition, "message"))
        .contains("changed from certificates.certs.io to zertifikats.certs.io")
        .contains(SyncMarks.APPROVED_SCHEMA + "=" + schemaOf(resource).schemaName());
    assertThat(held.status()).containsEntry("resourceSchemaName", schema(ONE_FIELD).schemaName());
    assertThat(PublicationPlanner.serving(seen).map(ProjectedSchema::inKcp))
        .contains(schema(ONE_FIELD).inKcp());
    assertThat((String) Trees.at(condition(held, "Accepted"), "message"))
        .contains("certificates.certs.io");
  }

  @Test
  void saysThatARenameLeavesTheOldApiBeforeItIsApplied() {
    KubeObject resource = renamed("Apply");

    var report = (ReportStatus) PublicationPlanner.plan(afterRename(resource));

    assertThat(Trees.at(condition(report, "SchemaCompatible"), "reason"))
        .isEqualTo("BreakingChange");
    // The next pass, and a new process, has to know what the renamed type was.
    assertThat(report.status()).containsEntry("resourceSchemaName", schema(ONE_FIELD).schemaName());
    var update =
        (UpdateExport)
            PublicationPlanner.plan(afterRename(resource.with(report.status(), "status")));
    assertThat(update.news().schemasAdded()).containsExactly(schemaOf(resource).schemaName());
    assertThat(update.news().schemasRemoved()).isEmpty();
  }

  @Test
  void knowsWhichSchemaAnotherOneComesInPlaceOf() {
    var export = new ExportLookup.Found(export(ONE_FIELD));
    String before = schema(ONE_FIELD).schemaName();
    ProjectedSchema renamed = schemaOf(renamed("Apply"));

    assertThat(export.predecessorOf(schema(TWO_FIELDS), before)).contains(before);
    assertThat(export.predecessorOf(schema(ONE_FIELD), before)).isEmpty();
    assertThat(export.predecessorOf(renamed, before)).contains(before);
    assertThat(export.predecessorOf(renamed, "")).isEmpty();
    assertThat(export.predecessorOf(renamed, renamed.schemaName())).isEmpty();
  }

  private static PublicationSnapshot afterRename(KubeObject resource) {
    return seen(
        resource,
        ONE_FIELD,
        export(ONE_FIELD),
        new ListedSchema.Found(schema(ONE_FIELD).schema("agent")));
  }

  /** Under another kind, and with that under another plural name. */
  private static KubeObject renamed(String schemaChanges) {
    return resource(schemaChanges)
        .with(schema(ONE_FIELD).schemaName(), "status", "resourceSchemaName")
        .with("Zertifikat", "spec", "projection", "kind");
  }

  private static ProjectedSchema schemaOf(KubeObject resource) {
    return ((Publication.Ready)
            Publication.of(resource, Optional.of(CertificateCrd.withFields(ONE_FIELD)), ""))
        .schema();
  }

  @Test
  void saysThatTheSchemaIsGoneInWhosePlaceAnotherComes() {
    var report = (ReportStatus) planWithoutTheListed(resource("Apply"));

    Object condition = condition(report, "SchemaCompatible");
    assertThat(Trees.at(condition, "reason")).isEqualTo("BreakingChange");
    assertThat((String) Trees.at(condition, "message"))
        .contains(schema(ONE_FIELD).schemaName() + ": does not exist");
  }

  @Test
  void startsNoSyncByASchemaThatIsGone() {
    PublicationSnapshot seen = withoutTheListed(resource("RequireApproval"), new SyncState.Off());

    assertThat(PublicationPlanner.serving(seen)).isEmpty();
    assertThat(PublicationPlanner.syncing(seen)).isEqualTo(new PublicationPlan.SyncChange.None());
    assertThat(
            Trees.at(condition((ReportStatus) PublicationPlanner.plan(seen), "Syncing"), "reason"))
        .isEqualTo("SchemaMissing");
  }

  /** Not even a change that would break nothing: nobody can tell. */
  private static PublicationPlan planWithoutTheListed(KubeObject resource) {
    return PublicationPlanner.plan(
        withoutTheListed(resource, new SyncState.Running(Optional.empty(), List.of())));
  }

  private static PublicationSnapshot withoutTheListed(KubeObject resource, SyncState syncing) {
    return seen(
            resource,
            TWO_FIELDS,
            export(ONE_FIELD),
            new ListedSchema.Gone(schema(ONE_FIELD).schemaName()))
        .with(syncing);
  }

  private static ReportStatus held(KubeObject resource, String approved) {
    return (ReportStatus) plan(approving(resource, approved), TWO_FIELDS, ONE_FIELD);
  }

  private static KubeObject approving(KubeObject resource, String schema) {
    return resource.with(Map.of(SyncMarks.APPROVED_SCHEMA, schema), "metadata", "annotations");
  }

  private static Object condition(ReportStatus report, String type) {
    return Trees.listOrEmpty(report.status().get("conditions")).stream()
        .filter(condition -> type.equals(Trees.at(condition, "type")))
        .findFirst()
        .orElseThrow();
  }

  private static PublicationPlan plan(
      KubeObject resource, Map<String, Object> before, Map<String, Object> after) {
    return PublicationPlanner.plan(snapshot(resource, before, after));
  }

  private static PublicationSnapshot snapshot(
      KubeObject resource, Map<String, Object> before, Map<String, Object> after) {
    return seen(
        resource, after, export(before), new ListedSchema.Found(schema(before).schema("agent")));
  }

  private static PublicationSnapshot seen(
      KubeObject resource, Map<String, Object> fields, KubeObject export, ListedSchema listed) {
    return new PublicationSnapshot(
        resource,
        Publication.of(resource, Optional.of(CertificateCrd.withFields(fields)), ""),
        new PublicationSnapshot.Agent("agent", Map.of(), StatusFields.ALL),
        new ExportLookup.Found(export),
        Optional.of(schema(fields).schema("agent")),
        listed,
        Optional.empty(),
        new SyncState.Running(Optional.empty(), List.of()),
        NOW);
  }

  private static KubeObject export(Map<String, Object> fields) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", "certs", "annotations", Map.of(SyncMarks.AGENT_NAME, "agent")),
            "spec",
            Map.of(
                "resources", List.of(entry(fields)),
                "permissionClaims",
                    List.of(Map.of("group", "", "resource", "events", "verbs", List.of("*"))))));
  }

  private static Map<String, Object> entry(Map<String, Object> fields) {
    var entry = new LinkedHashMap<String, Object>();
    entry.put("group", "certs.io");
    entry.put("name", "certificates");
    entry.put("schema", schema(fields).schemaName());
    entry.put("storage", Map.of("crd", Map.of()));
    return entry;
  }

  private static ProjectedSchema schema(Map<String, Object> fields) {
    return ((Publication.Ready)
            Publication.of(resource("Apply"), Optional.of(CertificateCrd.withFields(fields)), ""))
        .schema();
  }

  private static KubeObject resource(String schemaChanges) {
    return KubeObject.of(
        Map.of(
            "metadata", Map.of("name", "certs", "uid", "u", "generation", 2),
            "spec",
                Map.of(
                    "resource", Map.of("apiGroup", "certs.io", "kind", "Certificate"),
                    "synchronization", Map.of("enabled", true, "schemaChanges", schemaChanges))));
  }
}
