package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.published.SchemaNotice;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.decide.SyncState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Puts together what the status of a PublishedResource says. */
final class PublicationStatus {
  static final String ACCEPTED = "Accepted";
  static final String SCHEMA_PUBLISHED = "SchemaPublished";
  static final String SCHEMA_COMPATIBLE = "SchemaCompatible";
  static final String SCHEMA_UP_TO_DATE = "SchemaUpToDate";
  static final String EXPORTED = "Exported";
  static final String SYNCING = "Syncing";

  private final PublicationSnapshot seen;
  private final Conditions conditions;

  PublicationStatus(PublicationSnapshot seen) {
    this.seen = seen;
    this.conditions =
        new Conditions(
            seen.resource().list("status", "conditions"), seen.resource().generation(), seen.now());
  }

  PublicationPlan rejected(Publication.Rejected rejected) {
    conditions.unmet(ACCEPTED, rejected.reason(), rejected.message());
    for (String type : List.of(SCHEMA_PUBLISHED, SCHEMA_UP_TO_DATE, EXPORTED)) {
      conditions.doubt(
          type, "NotAccepted", "What was published before stays until this is accepted.");
    }
    conditions.unmet(SYNCING, "NotAccepted", "Objects stay as they are until this is accepted.");
    // The schema of better days stays named: the export still lists it.
    return report(schemaNameBefore());
  }

  PublicationPlan unreadable(Publication.Unreadable unreadable) {
    conditions.unknown(ACCEPTED, "TypeNotReadable", unreadable.message());
    return report(schemaNameBefore());
  }

  PublicationPlan notExported(Publication.Ready ready, String reason, String message) {
    accepted(ready.schema());
    conditions.doubt(SCHEMA_PUBLISHED, reason, message);
    conditions.doubt(SCHEMA_UP_TO_DATE, reason, message);
    conditions.unmet(EXPORTED, reason, message);
    syncing(ready.published(), reason, "Objects stay as they are. " + message);
    return report(schemaNameBefore());
  }

  /** A failed read changes nothing of what was exported. */
  PublicationPlan exportUnreadable(Publication.Ready ready, String message) {
    return conditions.wasTrue(EXPORTED)
        ? new PublicationPlan.Settled()
        : notExported(ready, "ExportNotReadable", message);
  }

  PublicationPlan refused(String type, String reason, String message) {
    conditions.unmet(type, reason, message);
    return report(schemaNameBefore());
  }

  /** What can be said before the export is changed; nothing if it is said already. */
  PublicationPlan announced(Publication.Ready ready, KubeObject export, SchemaStep step) {
    ProjectedSchema schema = ready.schema();
    published(schema);
    switch (step) {
      case SchemaStep.Breaking(var before, var changes) ->
          conditions.unmet(
              SCHEMA_COMPATIBLE,
              "BreakingChange",
              ("APIResourceSchema %s takes the place of %s, and stored objects may be"
                      + " refused or lose fields: %s.")
                  .formatted(schema.schemaName(), before, SchemaStep.named(changes)));
      case SchemaStep.Harmless() when conditions.wasFalse(SCHEMA_COMPATIBLE) ->
          conditions.met(
              SCHEMA_COMPATIBLE,
              "Compatible",
              "APIResourceSchema " + schema.schemaName() + " accepts every stored object.");
      case SchemaStep.Harmless(), SchemaStep.None(), SchemaStep.Held _ -> {
        // As it was said last.
      }
    }
    boolean listed = ExportMerge.listed(export, schema).equals(Optional.of(schema.schemaName()));
    // Why the server refused it is more than that it is not done.
    if (!listed && !conditions.wasFalse(EXPORTED)) {
      conditions.unmet(
          EXPORTED, "ExportPending", "APIExport " + export.name() + " does not list it yet.");
    }
    // After a rename only the status knows the predecessor, until the export lists the new name.
    boolean renamed = ExportMerge.listsUnderAnotherName(export, schemaNameBefore(), schema);
    return report(renamed ? schemaNameBefore() : schema.schemaName());
  }

  PublicationPlan held(Publication.Ready ready, SchemaStep.Held held, KubeObject export) {
    // Under the name, kind and scope by which consumers are still served it.
    accepted(PublicationPlanner.serving(seen).orElse(ready.schema()));
    exists(ready.schema().schemaName());
    conditions.unmet(
        SCHEMA_COMPATIBLE, "ApprovalRequired", approvalNeeded(ready.schema(), held, seen));
    listed(ready, export, held.before() + " until the change is approved");
    return report(held.before());
  }

  PublicationPlan exported(Publication.Ready ready, KubeObject export) {
    published(ready.schema());
    listed(ready, export, "it");
    return report(ready.schema().schemaName());
  }

  /** Of a schema and an export that others write. */
  PublicationPlan external(ExternalPublication external) {
    Publication.Ready ready = external.ready();
    Optional<ExternalPublication.Lack> lack = external.lack();
    if (lack.isPresent()) {
      return notExported(ready, lack.get().reason(), lack.get().message());
    }
    String name = external.listed() instanceof ListedSchema.Found(var schema) ? schema.name() : "";
    accepted(external.serving().orElse(ready.schema()));
    exists(name);
    Optional<String> incompatibility = external.incompatibility();
    if (incompatibility.isPresent() || conditions.wasFalse(SCHEMA_COMPATIBLE)) {
      conditions.metUnless(
          incompatibility,
          SCHEMA_COMPATIBLE,
          "IncompatibleExport",
          "Compatible",
          "The service cluster accepts every object that the export accepts.");
    }
    conditions.metUnless(
        external.drift(),
        SCHEMA_UP_TO_DATE,
        "SchemaDrift",
        "SchemaUpToDate",
        "APIResourceSchema " + name + " is what the service cluster serves.");
    Optional<String> conflict = claimConflict(external.export(), ready.published());
    conditions.metUnless(
        conflict.or(external::missingClaims),
        EXPORTED,
        conflict.isPresent() ? "ClaimConflict" : "ClaimMissing",
        "Exported",
        "APIExport " + external.export().name() + " lists " + name + ".");
    syncing(
        ready.published(),
        "SchemaDrift",
        "Objects stay as they are: the version that the APIExport stores is not served by the"
            + " service cluster.");
    return report(name);
  }

  static String approvalNeeded(
      ProjectedSchema wanted, SchemaStep.Held held, PublicationSnapshot seen) {
    return ("Under APIResourceSchema %s stored objects may be refused or lose fields: %s. To"
            + " apply it: kubectl annotate publishedresource %s --overwrite %s=%s")
        .formatted(
            wanted.schemaName(),
            SchemaStep.named(held.changes()),
            seen.resource().name(),
            SyncMarks.APPROVED_SCHEMA,
            wanted.schemaName());
  }

  /** Why a claim cannot be made; empty if all can. */
  static Optional<String> claimConflict(KubeObject export, PublishedResource published) {
    List<ExportMerge.Claim> conflicts = ExportMerge.conflictingClaims(export, published);
    return conflicts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("APIExport %s claims %s with another identityHash than spec.related names, and kcp"
                    + " keeps one claim of a resource; correct one of them.")
                .formatted(export.name(), ExportMerge.Claim.named(conflicts)));
  }

  private void accepted(ProjectedSchema schema) {
    conditions.met(
        ACCEPTED,
        "Accepted",
        "Published as %s (%s).%s"
            .formatted(
                schema.inKcp().kind(),
                schema.inKcp().resource().qualified(),
                schema.statusInKcp() == ProjectedSchema.StatusSubresource.ABSENT
                    ? " It has no status subresource: no status is brought to consumers."
                    : ""));
    for (String condition : List.of(SchemaNotice.COMPLETE, SchemaNotice.PATHS)) {
      List<SchemaNotice> notices =
          schema.notices().stream().filter(notice -> notice.condition().equals(condition)).toList();
      text(notices)
          .ifPresentOrElse(
              text -> conditions.unmet(condition, notices.getFirst().reason(), text),
              () -> conditions.remove(condition));
    }
  }

  /** For an event; empty if there are none. */
  static Optional<String> notices(ProjectedSchema schema) {
    return text(schema.notices());
  }

  private static Optional<String> text(List<SchemaNotice> notices) {
    return notices.stream().map(SchemaNotice::message).reduce((one, other) -> one + " " + other);
  }

  private void published(ProjectedSchema schema) {
    accepted(schema);
    exists(schema.schemaName());
  }

  private void exists(String schema) {
    conditions.met(SCHEMA_PUBLISHED, "SchemaPublished", "APIResourceSchema " + schema + " exists.");
  }

  private void listed(Publication.Ready ready, KubeObject export, String what) {
    String lists = "APIExport " + export.name() + " lists " + what + ".";
    Optional<String> notice = ExportOwnership.notice(export, seen.agent().name());
    conditions.metUnless(
        claimConflict(export, ready.published()),
        EXPORTED,
        "ClaimConflict",
        notice.isPresent() ? ExportOwnership.ANOTHER_AGENTS : "Exported",
        notice.map(text -> lists + " " + text).orElse(lists));
    syncing(
        ready.published(),
        "SchemaMissing",
        "Objects stay as they are: the APIResourceSchema that the APIExport lists does not exist.");
  }

  /**
   * @param why it was not begun though it is switched on
   */
  private void syncing(PublishedResource published, String why, String message) {
    if (published.synchronization() == Synchronization.PAUSED) {
      conditions.unmet(
          SYNCING,
          "Paused",
          "spec.synchronization.paused is true: no object is written until it is false.");
      return;
    }
    switch (seen.syncing()) {
      case SyncState.Off _, SyncState.Listing _
          when published.synchronization() == Synchronization.OFF ->
          conditions.unmet(
              SYNCING,
              "Disabled",
              "spec.synchronization.enabled is false: only the schema is published.");
      case SyncState.Off() -> conditions.unmet(SYNCING, why, message);
      case SyncState.Waiting(var reason, var what) -> conditions.unmet(SYNCING, reason, what);
      case SyncState.Listing(var what) when !conditions.wasTrue(SYNCING) ->
          conditions.unmet(SYNCING, SyncState.CACHES_FILLING, what);
      case SyncState.Listing _ -> {
        // As it was said last: every start lists again.
      }
      case SyncState.Running(var _, var problems) when problems.isEmpty() ->
          conditions.met(SYNCING, "Syncing", "Objects are kept in step.");
      // Some objects' failure does not end the syncing of all others.
      case SyncState.Running(var _, var problems) ->
          conditions.met(
              SYNCING,
              problems.getFirst().reason(),
              problems.stream()
                  .map(SyncState.Problem::message)
                  .collect(Collectors.joining(" ", "Objects are kept in step, but not all. ", "")));
    }
  }

  private String schemaNameBefore() {
    return seen.resource().text("status", "resourceSchemaName");
  }

  private PublicationPlan report(String schemaName) {
    if (seen.export() instanceof ExportLookup.Found
        && seen.publication() instanceof Publication.Ready) {
      // The agent keeps the schema up to date itself.
      conditions.remove(SCHEMA_UP_TO_DATE);
    }
    var status = new LinkedHashMap<String, Object>(seen.resource().map("status"));
    if (!schemaName.isEmpty()) {
      status.put("resourceSchemaName", schemaName);
    }
    status.put("observedGeneration", seen.resource().generation());
    status.put("conditions", conditions.list());
    switch (seen.syncing()) {
      case SyncState.Off() -> status.remove("objects"); // they are not counted
      case SyncState.Running(var counts, var _) ->
          counts.ifPresent(numbers ->
              status.put(
                  "objects",
                  Map.of(
                      "synced", numbers.synced(),
                      "pending", numbers.pending(),
                      "failed", numbers.failed())));
      case SyncState.Listing _, SyncState.Waiting _ -> {
        // As counted last: listing again changes nothing.
      }
    }
    Map<String, Object> desired = Trees.freezeMap(seen.agent().statusFields().kept(status));
    return desired.equals(seen.agent().statusFields().kept(seen.resource().map("status")))
        ? new PublicationPlan.Settled()
        : new PublicationPlan.ReportStatus(seen.resource(), desired);
  }
}
