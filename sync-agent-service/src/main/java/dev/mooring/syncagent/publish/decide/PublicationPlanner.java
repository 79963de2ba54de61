package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.published.ProjectedSchema;
import dev.mooring.model.published.SyncMarks;
import dev.mooring.syncagent.publish.decide.Conditions.Status;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot.SchemaPresence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides the next step for one PublishedResource: make its schema, list it in the APIExport with
 * the claims it needs, then say in the status how far it got. Each step's failure is a condition;
 * nothing here looks at any other PublishedResource but an older one of the same type.
 */
public final class PublicationPlanner {
  public static final String ACCEPTED = "Accepted";
  public static final String SCHEMA_PUBLISHED = "SchemaPublished";
  public static final String EXPORTED = "Exported";
  public static final String SYNCING = "Syncing";

  private PublicationPlanner() {}

  public static PublicationPlan plan(PublicationSnapshot seen) {
    if (seen.resource().deleting()) {
      // Schema and export stay: consumers' objects live on (R, section 3).
      return new PublicationPlan.Settled();
    }
    return switch (seen.publication()) {
      case Publication.Rejected rejected -> reject(seen, rejected);
      case Publication.Ready ready when seen.rival().isPresent() ->
          reject(seen, duplicate(seen.rival().get(), ready));
      case Publication.Ready ready ->
          switch (seen.export()) {
            case ExportSighting.Unknown(var reason, var message) ->
                exportUnknown(seen, ready.schema(), reason, message);
            case ExportSighting.Found _ when seen.schema() == SchemaPresence.ABSENT ->
                new PublicationPlan.CreateSchema(ready.schema().schema(seen.agentName()));
            case ExportSighting.Found(var export) -> export(seen, ready, export);
          };
    };
  }

  private static Publication.Rejected duplicate(String rival, Publication.Ready ready) {
    return new Publication.Rejected(
        "DuplicateResource",
        "PublishedResource "
            + rival
            + " already publishes "
            + ready.schema().inKcp().resource().qualified()
            + "; delete one of them, or project this one to another name.");
  }

  private static PublicationPlan export(
      PublicationSnapshot seen, Publication.Ready ready, KubeObject export) {
    List<Object> resources = ExportMerge.resources(export, ready.schema());
    List<ExportMerge.Claim> missing = ExportMerge.missingClaims(export, ready.published());
    boolean marked = export.annotation(SyncMarks.AGENT_NAME).equals(Optional.of(seen.agentName()));
    if (marked && missing.isEmpty() && resources.equals(export.list("spec", "resources"))) {
      return exported(seen, ready.schema(), export.name());
    }
    var spec = new LinkedHashMap<String, Object>();
    spec.put("resources", resources);
    if (!missing.isEmpty()) {
      spec.put("permissionClaims", ExportMerge.claims(export, missing));
    }
    return new PublicationPlan.UpdateExport(
        export,
        Map.of(
            "metadata",
            Map.of("annotations", Map.of(SyncMarks.AGENT_NAME, seen.agentName())),
            "spec",
            spec),
        missing.stream().map(ExportMerge.Claim::toString).toList());
  }

  private static PublicationPlan exported(
      PublicationSnapshot seen, ProjectedSchema schema, String exportName) {
    Conditions conditions = published(seen, schema);
    conditions.set(EXPORTED, Status.TRUE, "Exported", "APIExport " + exportName + " lists it.");
    switch (seen.syncing()) {
      case SyncState.Off() ->
          conditions.set(
              SYNCING,
              Status.FALSE,
              "Disabled",
              "spec.synchronization.enabled is false: only the schema is published.");
      case SyncState.Waiting(var reason, var message) ->
          conditions.set(SYNCING, Status.FALSE, reason, message);
      // Every start lists anew; that is no news where objects were kept in step before.
      case SyncState.Listing() when !conditions.held(SYNCING) ->
          conditions.set(
              SYNCING, Status.FALSE, SyncState.CACHES_FILLING, "Objects are being listed.");
      case SyncState.Listing(), SyncState.Running() ->
          conditions.set(SYNCING, Status.TRUE, "Syncing", "Objects are kept in step.");
    }
    return report(seen, conditions, schema.schemaName());
  }

  private static PublicationPlan exportUnknown(
      PublicationSnapshot seen, ProjectedSchema schema, String reason, String message) {
    Conditions conditions = accepted(seen, schema);
    conditions.set(EXPORTED, Status.FALSE, reason, message);
    return report(seen, conditions, seen.resource().text("status", "resourceSchemaName"));
  }

  private static PublicationPlan reject(PublicationSnapshot seen, Publication.Rejected rejected) {
    Conditions conditions = conditions(seen);
    conditions.set(ACCEPTED, Status.FALSE, rejected.reason(), rejected.message());
    conditions.set(
        SYNCING, Status.FALSE, "NotAccepted", "Objects stay as they are until this is accepted.");
    // The schema of better days stays named: the export still lists it.
    return report(seen, conditions, seen.resource().text("status", "resourceSchemaName"));
  }

  private static Conditions accepted(PublicationSnapshot seen, ProjectedSchema schema) {
    Conditions conditions = conditions(seen);
    conditions.set(
        ACCEPTED,
        Status.TRUE,
        "Accepted",
        "Published as "
            + schema.inKcp().kind()
            + " ("
            + schema.inKcp().resource().qualified()
            + ").");
    return conditions;
  }

  private static Conditions published(PublicationSnapshot seen, ProjectedSchema schema) {
    Conditions conditions = accepted(seen, schema);
    conditions.set(
        SCHEMA_PUBLISHED,
        Status.TRUE,
        "SchemaPublished",
        "APIResourceSchema " + schema.schemaName() + " exists.");
    return conditions;
  }

  private static Conditions conditions(PublicationSnapshot seen) {
    return new Conditions(
        seen.resource().list("status", "conditions"), seen.resource().generation(), seen.now());
  }

  private static PublicationPlan report(
      PublicationSnapshot seen, Conditions conditions, String schemaName) {
    var status = new LinkedHashMap<String, Object>(seen.resource().map("status"));
    if (!schemaName.isEmpty()) {
      status.put("resourceSchemaName", schemaName);
    }
    status.put("observedGeneration", seen.resource().generation());
    status.put("conditions", conditions.list());
    Map<String, Object> desired = Trees.freezeMap(status);
    return desired.equals(seen.resource().map("status"))
        ? new PublicationPlan.Settled()
        : new PublicationPlan.ReportStatus(seen.resource(), desired);
  }
}
