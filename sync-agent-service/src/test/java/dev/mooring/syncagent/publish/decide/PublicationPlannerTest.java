package dev.mooring.syncagent.publish.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.publish.decide.PublicationPlan.CreateSchema;
import dev.mooring.syncagent.publish.decide.PublicationPlan.ReportStatus;
import dev.mooring.syncagent.publish.decide.PublicationPlan.Settled;
import dev.mooring.syncagent.publish.decide.PublicationPlan.UpdateExport;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot.NameConflict;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.decide.ObjectCounts;
import dev.mooring.syncagent.sync.decide.SyncState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PublicationPlannerTest {
  private static final Instant NOW = Instant.parse("2026-01-01T10:00:00Z");
  private static final String LATER = "2026-01-02T10:00:00Z";

  private static final PublicationSnapshot.Agent AGENT =
      new PublicationSnapshot.Agent("agent", Map.of(), StatusFields.ALL);

  @Test
  void makesTheSchemaFirst() {
    var plan = (CreateSchema) plan(resource(), found(export()), missing());

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

    KubeObject after = after(update(resource(), found(export)));

    assertThat(after.list("spec", "resources").stream().map(r -> Trees.at(r, "schema")))
        .containsExactly(schemaName(), "v1.zebras.z.io");
  }

  @Test
  void claimsEventsOnlyWhereNothingElseIsNeeded() {
    UpdateExport update = update(resource(), found(export()));

    assertThat(update.news().claimsAdded()).containsExactly("events");
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

    UpdateExport update = update(resource, found(narrowed));

    assertThat(update.news().claimsAdded())
        .containsExactlyInAnyOrder("events", "namespaces", "configmaps");
    assertThat(after(update).list("spec", "permissionClaims"))
        .extracting(claim -> Trees.at(claim, "resource") + "=" + Trees.at(claim, "verbs"))
        .containsExactly(
            "configmaps=[*]", "events=[*]", "namespaces=[*]", "secrets=[get]", "things=null");
  }

  @Test
  void namesTheSchemaInTheStatusBeforeTheExportListsIt() {
    var report = (ReportStatus) plan(resource(), found(export()));

    assertThat(conditions(report))
        .containsExactly(
            "Accepted=True Accepted",
            "SchemaPublished=True SchemaPublished",
            "Exported=False ExportPending");
    assertThat(report.status()).containsEntry("resourceSchemaName", schemaName());
    KubeObject reported = resource().with(report.status(), "status");
    assertThat(plan(reported, found(export()))).isInstanceOf(UpdateExport.class);
  }

  @Test
  void leavesTheServersRefusalOfTheExportInTheStatusUntilItIsAccepted() {
    var report = (ReportStatus) plan(resource(), found(export()));
    KubeObject reported = resource().with(report.status(), "status");
    PublicationSnapshot seen = seen(reported, found(export()), present(), NOW);

    var refused =
        (ReportStatus)
            PublicationPlanner.refused(seen, PublicationPlanner.plan(seen), "403 forbidden");

    assertThat(conditions(refused)).contains("Exported=False ExportRefused");
    assertThat(plan(reported.with(refused.status(), "status"), found(export())))
        .isInstanceOf(UpdateExport.class);
  }

  @Test
  void saysNothingBeforeItAddsClaimsOnly() {
    KubeObject export = after(update(resource(), found(export())));
    var report = (ReportStatus) plan(resource(), found(export));
    KubeObject bare = export.without("spec", "permissionClaims");

    assertThat(plan(resource().with(report.status(), "status"), found(bare)))
        .isInstanceOf(UpdateExport.class);
  }

  @Test
  void writesNothingAfterTheExportWhereTheStatusHasTheSchemasNameOnly() {
    var goCrd =
        new PublicationSnapshot.Agent(
            "agent", Map.of(), new StatusFields(Optional.of(Set.of("resourceSchemaName"))));
    var report = (ReportStatus) PublicationPlanner.plan(seen(resource(), found(export()), goCrd));
    KubeObject reported = resource().with(report.status(), "status");

    var update = (UpdateExport) PublicationPlanner.plan(seen(reported, found(export()), goCrd));

    assertThat(PublicationPlanner.plan(seen(reported, found(after(update)), goCrd)))
        .isEqualTo(new Settled());
  }

  @Test
  void updatesTheExportAtOnceWhereOthersReport() {
    var silent = new PublicationSnapshot.Agent("agent", Map.of(), StatusFields.NONE);

    var update = (UpdateExport) PublicationPlanner.plan(seen(resource(), found(export()), silent));

    assertThat(PublicationPlanner.plan(seen(resource(), found(after(update)), silent)))
        .isEqualTo(new Settled());
  }

  @Test
  void reportsEveryStepOnceAllIsDone() {
    KubeObject export = after(update(resource(), found(export())));

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
    KubeObject export = after(update(resource(), found(export())));
    var report = (ReportStatus) plan(resource(), found(export));

    KubeObject reported = resource().with(report.status(), "status");

    assertThat(
            PublicationPlanner.plan(seen(reported, found(export), present(), Instant.parse(LATER))))
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
    KubeObject export = after(update(resource(), found(export())));

    var report = (ReportStatus) plan(before, found(export));

    List<Object> conditions = Trees.listOrEmpty(report.status().get("conditions"));
    assertThat(Trees.at(conditions.getFirst(), "lastTransitionTime")).isEqualTo(LATER);
    assertThat(conditions).contains(Map.of("type", "Theirs", "status", "True"));
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
  void saysThatTheTypeCannotBeReadAndLeavesEverythingElseAsItStands() {
    var seen =
        new PublicationSnapshot(
            resource().with("old", "status", "resourceSchemaName"),
            new Publication.Unreadable("503 from the aggregated API"),
            AGENT,
            found(export()),
            missing(),
            new ListedSchema.None(),
            Optional.empty(),
            running(),
            NOW);

    var report = (ReportStatus) PublicationPlanner.plan(seen);

    assertThat(conditions(report)).containsExactly("Accepted=Unknown TypeNotReadable");
    assertThat(report.status()).containsEntry("resourceSchemaName", "old");
    assertThat(PublicationPlanner.problem(seen)).contains("503 from the aggregated API");
  }

  @Test
  void leavesATypeToTheOlderOfTwoPublishedResources() {
    var seen =
        new PublicationSnapshot(
            resource(),
            publication(resource()),
            AGENT,
            found(export()),
            present(),
            new ListedSchema.None(),
            Optional.of(new NameConflict.SameType("older")),
            running(),
            NOW);

    assertThat(conditions((ReportStatus) PublicationPlanner.plan(seen)))
        .containsExactly("Accepted=False DuplicateResource", "Syncing=False NotAccepted");
  }

  @Test
  void refusesASecondSyncOfOneKind() {
    var seen =
        new PublicationSnapshot(
            resource(),
            publication(resource()),
            AGENT,
            found(export()),
            present(),
            new ListedSchema.None(),
            Optional.of(new NameConflict.SameKind("older")),
            running(),
            NOW);

    assertThat(conditions((ReportStatus) PublicationPlanner.plan(seen)))
        .containsExactly("Accepted=False DuplicateResource", "Syncing=False NotAccepted");
    assertThat(PublicationPlanner.problem(seen))
        .hasValueSatisfying(message -> assertThat(message).contains("already syncs"));
    assertThat(PublicationPlanner.syncing(seen)).isEqualTo(new PublicationPlan.SyncChange.Stop());
  }

  @Test
  void putsItsMarksOnASchemaThatHasNone() {
    var plain = Optional.of(KubeObject.of(Map.of("metadata", Map.of("name", "s"))));

    var plan = (PublicationPlan.MarkSchema) plan(resource(), found(export()), plain);

    assertThat(MergePatch.apply(plan.schema(), plan.patch()).labels())
        .containsEntry(SyncMarks.AGENT_NAME, "agent");
  }

  @Test
  void narrowsNewClaimsToTheVerbsThatWereAskedFor() {
    KubeObject resource =
        resource().with(List.of("get", "list"), "spec", "synchronization", "claimVerbs");

    UpdateExport update = update(resource, found(export()));

    assertThat(after(update).list("spec", "permissionClaims"))
        .containsExactly(
            Map.of("group", "", "resource", "events", "verbs", List.of("get", "list")));
  }

  @Test
  void leavesAClaimOfAnotherIdentityAloneAndSaysSo() {
    KubeObject other =
        export()
            .with(
                List.of(Map.of("group", "x.io", "resource", "things", "identityHash", "theirs")),
                "spec",
                "permissionClaims");
    KubeObject resource =
        resource()
            .with(
                List.of(
                    Map.of(
                        "identifier", "thing",
                        "origin", "kcp",
                        "group", "x.io",
                        "version", "v1",
                        "resource", "things",
                        "identityHash", "ours",
                        "object", Map.of("reference", Map.of("path", "spec.name")))),
                "spec",
                "related");

    UpdateExport update = update(resource, found(other));
    KubeObject export = after(update);

    assertThat(update.news().claimsAdded()).containsExactly("events", "namespaces");
    assertThat(export.list("spec", "permissionClaims"))
        .contains(Map.of("group", "x.io", "resource", "things", "identityHash", "theirs"));
    assertThat(conditions((ReportStatus) plan(resource, found(export))))
        .contains("Exported=False ClaimConflict", "Syncing=True Syncing");
  }

  @Test
  void tellsWhichSchemasComeAndGo() {
    KubeObject export =
        export()
            .with(
                List.of(
                    Map.of(
                        "group", "certs.io",
                        "name", "certificates",
                        "schema", "old.certificates.certs.io")),
                "spec",
                "resources");

    UpdateExport update = update(resource(), found(export));

    assertThat(update.news())
        .isEqualTo(
            new PublicationPlan.ExportDiff(
                List.of(schemaName()), List.of("old.certificates.certs.io"), List.of("events")));
  }

  @Test
  void putsTheServicesTitleOnTheExport() {
    var agent =
        new PublicationSnapshot.Agent(
            "agent", Map.of(SyncMarks.SERVICE_TITLE, "Certificates"), StatusFields.ALL);

    assertThat(after(update(resource(), listing(), agent)).annotations())
        .containsEntry(SyncMarks.SERVICE_TITLE, "Certificates")
        .containsEntry(SyncMarks.AGENT_NAME, "agent");
  }

  @Test
  void writesNothingToAnotherAgentsExportAndSaysWhatItLacks() {
    KubeObject resource = resource().with(List.of(related("kcp", "ConfigMap")), "spec", "related");
    PublicationSnapshot seen = seen(resource, ownedByOther(export()), missing(), NOW);

    var report = (ReportStatus) PublicationPlanner.plan(seen.with(new SyncState.Off()));

    assertThat(conditions(report))
        .containsExactly(
            "Accepted=True Accepted",
            "Exported=False AnotherAgentsExport",
            "Syncing=False AnotherAgentsExport");
    assertThat(PublicationPlanner.problem(seen))
        .hasValueSatisfying(message ->
            assertThat(message)
                .startsWith(
                    "APIExport certs carries the name of agent other, so agent agent writes")
                .contains("kubectl annotate apiexport certs syncagent.kcp.io/agent-name-")
                .endsWith(
                    "It lacks APIResourceSchema "
                        + schemaName()
                        + " and the permission claims on events, namespaces, configmaps."));
    KubeObject reported = resource.with(report.status(), "status");
    assertThat(
            PublicationPlanner.plan(
                seen(reported, ownedByOther(export()), missing(), Instant.parse(LATER))
                    .with(new SyncState.Off())))
        .isEqualTo(new Settled());
  }

  @Test
  void syncsThroughAnotherAgentsExportThatHasAllItNeedsUnderAnyTitleAndInAnyOrder() {
    KubeObject export = ((ExportLookup.Found) listing()).export();
    var foreign = Map.of("group", "a.io", "name", "apes", "schema", "v1.apes.a.io");
    var resources = new ArrayList<>(export.list("spec", "resources"));
    resources.add(foreign); // which this agent would sort
    var agent =
        new PublicationSnapshot.Agent(
            "agent", Map.of(SyncMarks.SERVICE_TITLE, "Certificates"), StatusFields.ALL);
    var seen =
        new PublicationSnapshot(
            resource(),
            publication(resource()),
            agent,
            ownedByOther(export.with(resources, "spec", "resources")),
            present(),
            new ListedSchema.None(),
            Optional.empty(),
            running(),
            NOW);

    assertThat(conditions((ReportStatus) PublicationPlanner.plan(seen)))
        .containsExactly(
            "Accepted=True Accepted",
            "SchemaPublished=True SchemaPublished",
            "Exported=True AnotherAgentsExport",
            "Syncing=True Syncing");
    assertThat(PublicationPlanner.problem(seen))
        .hasValueSatisfying(message -> assertThat(message).contains("agent other"));
    assertThat(PublicationPlanner.serving(seen)).isPresent();
  }

  @Test
  void takesAnExportWithAnEmptyMarkForNobodys() {
    KubeObject export = export().with("", "metadata", "annotations", SyncMarks.AGENT_NAME);

    assertThat(after(update(resource(), found(export))).annotations())
        .containsEntry(SyncMarks.AGENT_NAME, "agent");
  }

  @Test
  void quotesNoMarkWithoutEnd() {
    KubeObject export =
        export().with("x".repeat(200_000), "metadata", "annotations", SyncMarks.AGENT_NAME);

    assertThat(PublicationPlanner.problem(seen(resource(), found(export), missing(), NOW)))
        .hasValueSatisfying(
            message -> assertThat(message).hasSizeLessThan(1000).contains("annotate apiexport"));
  }

  private static ExportLookup ownedByOther(KubeObject export) {
    return found(export.with("other", "metadata", "annotations", SyncMarks.AGENT_NAME));
  }

  @Test
  void countsObjectsOnceAllWereLookedAt() {
    var seen =
        seen(resource(), listing(), present(), NOW)
            .with(new SyncState.Running(Optional.of(new ObjectCounts(7, 2, 1)), List.of()));

    var report = (ReportStatus) PublicationPlanner.plan(seen);

    assertThat(report.status())
        .containsEntry("objects", Map.of("synced", 7L, "pending", 2L, "failed", 1L));
  }

  @Test
  void saysThatSyncingIsPaused() {
    KubeObject paused =
        resource()
            .with(true, "spec", "synchronization", "enabled")
            .with(true, "spec", "synchronization", "paused");

    assertThat(conditions((ReportStatus) plan(paused, listing()))).endsWith("Syncing=False Paused");
  }

  @Test
  void saysInOneConditionThatAServerRefusesTheSchema() {
    PublicationSnapshot seen = seen(resource(), found(export()), missing(), NOW);
    PublicationPlan refused = PublicationPlanner.plan(seen);

    var report = (ReportStatus) PublicationPlanner.refused(seen, refused, "422 not structural");

    assertThat(conditions(report)).containsExactly("SchemaPublished=False SchemaRefused");
    KubeObject reported = resource().with(report.status(), "status");
    assertThat(
            PublicationPlanner.refused(
                seen(reported, found(export()), missing(), NOW), refused, "422 not structural"))
        .isEqualTo(new Settled());
  }

  @Test
  void saysWhenTheExportIsMissing() {
    var report =
        (ReportStatus)
            plan(
                resource(),
                new ExportLookup.Unknown("ExportNotFound", "There is no APIExport x."),
                missing());

    assertThat(conditions(report))
        .containsExactly(
            "Accepted=True Accepted", "Exported=False ExportNotFound", "Syncing=True Syncing");
  }

  @Test
  void leavesNoConditionAsItWasWhereTheExportIsGone() {
    KubeObject reported = resource().with(counted().status(), "status");

    var report =
        (ReportStatus)
            PublicationPlanner.plan(
                seen(
                        reported,
                        new ExportLookup.Unknown("ExportNotFound", "There is no APIExport x."),
                        missing(),
                        NOW)
                    .with(new SyncState.Off()));

    assertThat(conditions(report))
        .containsExactly(
            "Accepted=True Accepted",
            "SchemaPublished=Unknown ExportNotFound",
            "Exported=False ExportNotFound",
            "Syncing=False ExportNotFound");
    assertThat(report.status()).doesNotContainKey("objects");
  }

  @Test
  void leavesTheStatusAsItIsWhereTheExportCannotBeRead() {
    KubeObject reported = resource().with(counted().status(), "status");

    assertThat(
            PublicationPlanner.plan(
                seen(reported, unreadable(), missing(), NOW).with(new SyncState.Off())))
        .isEqualTo(new Settled());
  }

  @Test
  void saysThatTheExportCannotBeReadWhereItWasNotExportedYet() {
    KubeObject changed =
        resource().with(counted().status(), "status").with(3L, "metadata", "generation");

    for (KubeObject resource : List.of(resource(), changed)) {
      var report = (ReportStatus) plan(resource, unreadable(), missing());
      assertThat(conditions(report))
          .contains("Accepted=True Accepted", "Exported=False ExportNotReadable");
    }
  }

  private static ExportLookup unreadable() {
    return new ExportLookup.Unreadable("APIExport certs cannot be read yet: 503");
  }

  @Test
  void leavesNoConditionAsItWasWhereItIsNoLongerAccepted() {
    KubeObject invalid =
        resource()
            .with(counted().status(), "status")
            .with("{{ .Nope }}", "spec", "naming", "name")
            .with(3L, "metadata", "generation");

    var report =
        (ReportStatus)
            PublicationPlanner.plan(
                seen(invalid, listing(), missing(), NOW).with(new SyncState.Off()));

    assertThat(conditions(report))
        .containsExactly(
            "Accepted=False InvalidTemplate",
            "SchemaPublished=Unknown NotAccepted",
            "Exported=Unknown NotAccepted",
            "Syncing=False NotAccepted");
    assertThat(report.status())
        .doesNotContainKey("objects")
        .containsEntry("resourceSchemaName", schemaName());
  }

  @Test
  void countsNothingOnceItIsSwitchedOff() {
    KubeObject off =
        resource()
            .with(counted().status(), "status")
            .with(false, "spec", "synchronization", "enabled");

    var report =
        (ReportStatus)
            PublicationPlanner.plan(seen(off, listing(), present(), NOW).with(new SyncState.Off()));

    assertThat(conditions(report)).endsWith("Syncing=False Disabled");
    assertThat(report.status()).doesNotContainKey("objects");
    assertThat(conditions((ReportStatus) whileListing(off))).endsWith("Syncing=False Disabled");
  }

  private static ReportStatus counted() {
    var counts = new ObjectCounts(3, 0, 1);
    return (ReportStatus)
        PublicationPlanner.plan(
            seen(resource(), listing(), present(), NOW)
                .with(new SyncState.Running(Optional.of(counts), List.of())));
  }

  @Test
  void saysNothingNewWhileObjectsAreListedAfterARestart() {
    var running = (ReportStatus) plan(resource(), listing());
    KubeObject reported = resource().with(running.status(), "status");

    assertThat(whileListing(reported)).isEqualTo(new Settled());
  }

  @Test
  void saysNothingNewOfFailingObjectsWhileObjectsAreListedAfterARestart() {
    var failing =
        new SyncState.Running(
            Optional.empty(),
            List.of(
                new SyncState.Problem(
                    SyncState.Problem.OBJECTS_FAILING, "One of 3 objects fails.")));
    var reported =
        (ReportStatus)
            PublicationPlanner.plan(seen(resource(), listing(), present(), NOW).with(failing));

    assertThat(whileListing(resource().with(reported.status(), "status"))).isEqualTo(new Settled());
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
            AGENT,
            listing(),
            present(),
            new ListedSchema.None(),
            Optional.empty(),
            new SyncState.Listing(""),
            NOW));
  }

  /** An export in which everything is already. */
  private static ExportLookup listing() {
    return found(after(update(resource(), found(export()))));
  }

  @Test
  void leavesEverythingWhenItIsDeleted() {
    KubeObject going = resource().with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp");

    assertThat(plan(going, found(export()), missing())).isEqualTo(new Settled());
  }

  private static PublicationPlan plan(KubeObject resource, ExportLookup export) {
    return plan(resource, export, present());
  }

  private static PublicationPlan plan(
      KubeObject resource, ExportLookup export, Optional<KubeObject> schema) {
    return PublicationPlanner.plan(seen(resource, export, schema, NOW));
  }

  /** The export's update, after what can be said before it. */
  private static UpdateExport update(KubeObject resource, ExportLookup export) {
    return update(resource, export, AGENT);
  }

  private static UpdateExport update(
      KubeObject resource, ExportLookup export, PublicationSnapshot.Agent agent) {
    var report = (ReportStatus) PublicationPlanner.plan(seen(resource, export, agent));
    return (UpdateExport)
        PublicationPlanner.plan(seen(resource.with(report.status(), "status"), export, agent));
  }

  private static PublicationSnapshot seen(
      KubeObject resource, ExportLookup export, Optional<KubeObject> schema, Instant now) {
    return seen(resource, export, schema, AGENT, now);
  }

  private static PublicationSnapshot seen(
      KubeObject resource, ExportLookup export, PublicationSnapshot.Agent agent) {
    return seen(resource, export, present(), agent, NOW);
  }

  private static PublicationSnapshot seen(
      KubeObject resource,
      ExportLookup export,
      Optional<KubeObject> schema,
      PublicationSnapshot.Agent agent,
      Instant now) {
    return new PublicationSnapshot(
        resource,
        publication(resource),
        agent,
        export,
        schema,
        new ListedSchema.None(),
        Optional.empty(),
        running(),
        now);
  }

  private static Optional<KubeObject> missing() {
    return Optional.empty();
  }

  /** With the agent's mark. */
  private static Optional<KubeObject> present() {
    return Optional.of(
        KubeObject.of(
            Map.of(
                "metadata", Map.of("name", "s", "labels", Map.of(SyncMarks.AGENT_NAME, "agent")))));
  }

  private static SyncState running() {
    return new SyncState.Running(Optional.empty(), List.of());
  }

  private static Publication publication(KubeObject resource) {
    return Publication.of(resource, Optional.of(CertificateCrd.withoutSchema()), "");
  }

  private static String schemaName() {
    return ((Publication.Ready) publication(resource())).schema().schemaName();
  }

  private static ExportLookup found(KubeObject export) {
    return new ExportLookup.Found(export);
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

  static KubeObject resource() {
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
}
