package dev.mooring.syncagent.publish.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.model.object.Trees;
import dev.mooring.model.published.SyncMarks;
import dev.mooring.syncagent.publish.decide.PublicationPlan.CreateSchema;
import dev.mooring.syncagent.publish.decide.PublicationPlan.ReportStatus;
import dev.mooring.syncagent.publish.decide.PublicationPlan.Settled;
import dev.mooring.syncagent.publish.decide.PublicationPlan.UpdateExport;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot.SchemaPresence;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PublicationPlannerTest {
  private static final Instant NOW = Instant.parse("2026-01-01T10:00:00Z");
  private static final String LATER = "2026-01-02T10:00:00Z";

  @Test
  void makesTheSchemaFirst() {
    var plan = (CreateSchema) plan(resource(), found(export()), SchemaPresence.ABSENT);

    assertThat(plan.schema().name()).isEqualTo(schemaName());
    assertThat(plan.schema().labels()).containsEntry(SyncMarks.AGENT_NAME, "agent");
    assertThat(plan.schema().annotations()).containsEntry(SyncMarks.SOURCE_GENERATION, "4");
  }

  @Test
  void replacesItsOwnEntryAndKeepsForeignOnes() {
    KubeObject export =
        export()
            .with(
                List.of(
                    Map.of("group", "z.io", "name", "zebras", "schema", "v1.zebras.z.io"),
                    Map.of(
                        "group", "certs.io",
                        "name", "certificates",
                        "schema", "old.certificates.certs.io")),
                "spec",
                "resources");

    KubeObject after = after((UpdateExport) plan(resource(), found(export)));

    assertThat(after.list("spec", "resources").stream().map(r -> Trees.at(r, "schema")))
        .containsExactly(schemaName(), "v1.zebras.z.io");
  }

  @Test
  void claimsEventsOnlyWhereNothingElseIsNeeded() {
    var update = (UpdateExport) plan(resource(), found(export()));

    assertThat(update.claimsAdded()).containsExactly("events");
  }

  @Test
  void addsClaimsOfRelatedTypesWithAllVerbsAndKeepsThoseNarrowedByHand() {
    KubeObject narrowed =
        export()
            .with(
                List.of(
                    Map.of("group", "", "resource", "secrets", "verbs", List.of("get")),
                    Map.of("group", "x.io", "resource", "things", "identityHash", "h")),
                "spec",
                "permissionClaims");
    KubeObject resource =
        resource()
            .with(
                List.of(related("kcp", "ConfigMap"), related("service", "Secret")),
                "spec",
                "related");

    var update = (UpdateExport) plan(resource, found(narrowed));

    assertThat(update.claimsAdded())
        .containsExactlyInAnyOrder("events", "namespaces", "configmaps");
    assertThat(after(update).list("spec", "permissionClaims"))
        .extracting(claim -> Trees.at(claim, "resource") + "=" + Trees.at(claim, "verbs"))
        .containsExactly(
            "configmaps=[*]", "events=[*]", "namespaces=[*]", "secrets=[get]", "things=null");
  }

  @Test
  void reportsEveryStepOnceAllIsDone() {
    KubeObject export = after((UpdateExport) plan(resource(), found(export())));

    var report = (ReportStatus) plan(resource(), found(export));

    assertThat(conditions(report))
        .containsExactly(
            "Accepted=True Accepted",
            "SchemaPublished=True SchemaPublished",
            "Exported=True Exported",
            "Syncing=True Syncing");
    assertThat(report.status()).containsEntry("resourceSchemaName", schemaName());
  }

  @Test
  void isSettledOnceTheStatusSaysSo() {
    KubeObject export = after((UpdateExport) plan(resource(), found(export())));
    var report = (ReportStatus) plan(resource(), found(export));

    KubeObject reported = resource().with(report.status(), "status");

    assertThat(
            PublicationPlanner.plan(
                seen(reported, found(export), SchemaPresence.PRESENT, Instant.parse(LATER))))
        .isEqualTo(new Settled());
  }

  @Test
  void keepsTransitionTimesOfConditionsThatStayAndForeignConditions() {
    KubeObject before =
        resource()
            .with(
                List.of(
                    Map.of("type", "Accepted", "status", "True", "lastTransitionTime", LATER),
                    Map.of("type", "Theirs", "status", "True")),
                "status",
                "conditions");
    KubeObject export = after((UpdateExport) plan(resource(), found(export())));

    var report = (ReportStatus) plan(before, found(export));

    KubeObject status = KubeObject.of(Map.of("status", report.status()));
    assertThat(Trees.at(status.list("status", "conditions").getFirst(), "lastTransitionTime"))
        .isEqualTo(LATER);
    assertThat(Trees.at(status.list("status", "conditions").getLast(), "type")).isEqualTo("Theirs");
  }

  @Test
  void rejectsWhatCannotWorkAndKeepsTheSchemaNamed() {
    KubeObject invalid =
        resource()
            .with("{{ .Nope }}", "spec", "naming", "name")
            .with("old", "status", "resourceSchemaName");

    var report = (ReportStatus) plan(invalid, found(export()));

    assertThat(conditions(report))
        .containsExactly("Accepted=False InvalidTemplate", "Syncing=False NotAccepted");
    assertThat(report.status()).containsEntry("resourceSchemaName", "old");
  }

  @Test
  void saysWhenTheServiceClusterLacksTheResource() {
    Publication publication = Publication.of(resource(), Optional.empty(), "");

    assertThat(publication)
        .isInstanceOfSatisfying(
            Publication.Rejected.class,
            rejected -> {
              assertThat(rejected.reason()).isEqualTo("ResourceNotFound");
              assertThat(rejected.message()).contains("Certificate").contains("certs.io");
            });
  }

  @Test
  void leavesATypeToTheOlderOfTwoPublishedResources() {
    var seen =
        new PublicationSnapshot(
            resource(),
            publication(resource()),
            "agent",
            found(export()),
            SchemaPresence.PRESENT,
            Optional.of("older"),
            new SyncState.Running(),
            NOW);

    assertThat(conditions((ReportStatus) PublicationPlanner.plan(seen)))
        .containsExactly("Accepted=False DuplicateResource", "Syncing=False NotAccepted");
  }

  @Test
  void saysWhenTheExportIsMissing() {
    var report =
        (ReportStatus)
            plan(
                resource(),
                new ExportSighting.Unknown("ExportNotFound", "There is no APIExport x."),
                SchemaPresence.ABSENT);

    assertThat(conditions(report))
        .containsExactly("Accepted=True Accepted", "Exported=False ExportNotFound");
  }

  @Test
  void saysNothingNewWhileObjectsAreListedAfterARestart() {
    var running = (ReportStatus) plan(resource(), listing());
    KubeObject reported = resource().with(running.status(), "status");

    assertThat(whileListing(reported)).isEqualTo(new Settled());
  }

  @Test
  void saysThatObjectsAreListedForTheFirstTimeAndAfterAChange() {
    assertThat(conditions((ReportStatus) whileListing(resource())))
        .endsWith("Syncing=False CachesFilling");
    var running = (ReportStatus) plan(resource(), listing());
    KubeObject changed =
        resource().with(running.status(), "status").with(3L, "metadata", "generation");

    assertThat(conditions((ReportStatus) whileListing(changed)))
        .endsWith("Syncing=False CachesFilling");
  }

  private static PublicationPlan whileListing(KubeObject resource) {
    return PublicationPlanner.plan(
        new PublicationSnapshot(
            resource,
            publication(resource),
            "agent",
            listing(),
            SchemaPresence.PRESENT,
            Optional.empty(),
            new SyncState.Listing(),
            NOW));
  }

  /** An export in which everything is already. */
  private static ExportSighting listing() {
    return found(after((UpdateExport) plan(resource(), found(export()))));
  }

  @Test
  void leavesEverythingWhenItIsDeleted() {
    KubeObject going = resource().with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp");

    assertThat(plan(going, found(export()), SchemaPresence.ABSENT)).isEqualTo(new Settled());
  }

  private static PublicationPlan plan(KubeObject resource, ExportSighting export) {
    return plan(resource, export, SchemaPresence.PRESENT);
  }

  private static PublicationPlan plan(
      KubeObject resource, ExportSighting export, SchemaPresence schema) {
    return PublicationPlanner.plan(seen(resource, export, schema, NOW));
  }

  private static PublicationSnapshot seen(
      KubeObject resource, ExportSighting export, SchemaPresence schema, Instant now) {
    return new PublicationSnapshot(
        resource,
        publication(resource),
        "agent",
        export,
        schema,
        Optional.empty(),
        new SyncState.Running(),
        now);
  }

  private static Publication publication(KubeObject resource) {
    return Publication.of(resource, Optional.of(crd()), "");
  }

  private static String schemaName() {
    return ((Publication.Ready) publication(resource())).schema().schemaName();
  }

  private static ExportSighting found(KubeObject export) {
    return new ExportSighting.Found(export);
  }

  /** The export as the server has it after the patch. */
  private static KubeObject after(UpdateExport update) {
    return MergePatch.apply(update.export(), update.patch());
  }

  private static List<String> conditions(ReportStatus report) {
    return Trees.listOrEmpty(report.status().get("conditions")).stream()
        .map(c -> Trees.at(c, "type") + "=" + Trees.at(c, "status") + " " + Trees.at(c, "reason"))
        .toList();
  }

  private static KubeObject resource() {
    return KubeObject.of(
        Map.of(
            "metadata", Map.of("name", "certs", "uid", "u", "generation", 2),
            "spec", Map.of("resource", Map.of("apiGroup", "certs.io", "kind", "Certificate"))));
  }

  private static Map<String, Object> related(String origin, String kind) {
    return Map.of(
        "identifier", kind,
        "origin", origin,
        "kind", kind,
        "object", Map.of("reference", Map.of("path", "spec.name")));
  }

  private static KubeObject export() {
    return KubeObject.of(Map.of("metadata", Map.of("name", "certs", "resourceVersion", "5")));
  }

  private static KubeObject crd() {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", "certificates.certs.io", "generation", 4),
            "spec",
            Map.of(
                "group",
                "certs.io",
                "scope",
                "Namespaced",
                "names",
                Map.of("kind", "Certificate", "plural", "certificates"),
                "versions",
                List.of(Map.of("name", "v1", "served", true, "storage", true)))));
  }
}
