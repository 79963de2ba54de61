package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.publish.decide.PublicationPlan.SyncChange;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot.NameConflict;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.published.SchemaRules;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides the next step for one PublishedResource: make its schema, list it in the APIExport with
 * the claims it needs, then say in the status how far it got. Each step's failure is a condition;
 * nothing here looks at any other PublishedResource but an older one that stands in the way.
 */
public final class PublicationPlanner {
  private PublicationPlanner() {}

  public static PublicationPlan plan(PublicationSnapshot seen) {
    if (seen.resource().deleting()) {
      // Schema and export stay: consumers' objects live on (R, section 3).
      return new PublicationPlan.Settled();
    }
    var status = new PublicationStatus(seen);
    return switch (accepted(seen)) {
      case Publication.Rejected rejected -> status.rejected(rejected);
      case Publication.Unreadable unreadable -> status.unreadable(unreadable);
      case Publication.Ready ready ->
          switch (seen.export()) {
            case ExportLookup.Unknown(var reason, var message) ->
                status.notExported(ready, reason, message);
            case ExportLookup.Unreadable(var message) -> status.exportUnreadable(ready, message);
            case ExportLookup.External(var export) ->
                status.external(new ExternalPublication(ready, export, seen.listed()));
            case ExportLookup.Found(var export) ->
                ownedByOther(seen, ready, export)
                    .map(why -> status.notExported(ready, ExportOwnership.ANOTHER_AGENTS, why))
                    .orElseGet(() -> schema(seen, ready, export));
          };
    };
  }

  /** What another agent's export would have to be given; empty if there is no such thing. */
  private static Optional<String> ownedByOther(
      PublicationSnapshot seen, Publication.Ready ready, KubeObject export) {
    return ExportOwnership.notice(export, seen.agent().name())
        .flatMap(notice ->
            ExportOwnership.lack(export, ready.published(), ready.schema())
                .map(lack -> notice + " It lacks " + lack + "."));
  }

  /** Whether the syncing of objects starts or stops, before the plan is executed. */
  public static SyncChange syncing(PublicationSnapshot seen) {
    return switch (accepted(seen)) {
      // A failed read is no reason to stop.
      case Publication.Unreadable _ -> new SyncChange.None();
      case Publication.Ready(var published, var _)
          when published.synchronization() != Synchronization.OFF ->
          serving(seen)
              .<SyncChange>map(schema -> new SyncChange.Start(published, schema))
              .orElseGet(SyncChange.None::new);
      case Publication.Ready _, Publication.Rejected _ -> new SyncChange.Stop();
    };
  }

  /**
   * The type as consumers are served it now, which is what is to be synced; empty if it cannot be
   * said yet, or nothing may be synced.
   */
  public static Optional<ProjectedSchema> serving(PublicationSnapshot seen) {
    if (!(accepted(seen) instanceof Publication.Ready ready)) {
      return Optional.empty();
    }
    return switch (seen.export()) {
      case ExportLookup.Unknown _, ExportLookup.Unreadable _ -> Optional.empty();
      case ExportLookup.External(var export) ->
          new ExternalPublication(ready, export, seen.listed()).serving();
      case ExportLookup.Found(var export) -> serving(seen, ready, export);
    };
  }

  private static Optional<ProjectedSchema> serving(
      PublicationSnapshot seen, Publication.Ready ready, KubeObject export) {
    return switch (step(seen, ready)) {
      case SchemaStep.Held(ListedSchema.Found(var before), var _, var _) ->
          ready.schema().servedBy(before);
      // Workspaces keep the schema that they bound, which is not known.
      case SchemaStep.Held _ -> Optional.empty();
      case SchemaStep.None(), SchemaStep.Harmless(), SchemaStep.Breaking(var _, var _) ->
          ExportMerge.listed(export, ready.schema())
              .filter(ready.schema().schemaName()::equals)
              .map(_ -> ready.schema());
    };
  }

  /** The owner's problem, for an event; empty if there is none. */
  public static Optional<String> problem(PublicationSnapshot seen) {
    return switch (accepted(seen)) {
      case Publication.Rejected(var _, var message) -> Optional.of(message);
      case Publication.Unreadable(var message) -> Optional.of(message);
      case Publication.Ready ready ->
          switch (seen.export()) {
            case ExportLookup.Unknown(var _, var message) -> Optional.of(message);
            case ExportLookup.Unreadable(var message) -> Optional.of(message);
            case ExportLookup.External(var export) -> {
              var external = new ExternalPublication(ready, export, seen.listed());
              yield external
                  .problem()
                  .or(() -> external.serving().flatMap(PublicationStatus::notices));
            }
            case ExportLookup.Found(var export) ->
                ownedByOther(seen, ready, export)
                    .or(() -> failure(seen, ready, export))
                    .or(() -> PublicationStatus.notices(ready.schema()))
                    .or(() -> ExportOwnership.notice(export, seen.agent().name()));
          };
    };
  }

  private static Optional<String> failure(
      PublicationSnapshot seen, Publication.Ready ready, KubeObject export) {
    return step(seen, ready) instanceof SchemaStep.Held held
        ? Optional.of(PublicationStatus.approvalNeeded(ready.schema(), held, seen))
        : PublicationStatus.claimConflict(export, ready.published());
  }

  /**
   * What to report after the server refused a step for good.
   *
   * @param refused the step
   * @param message what the server said
   */
  public static PublicationPlan refused(
      PublicationSnapshot seen, PublicationPlan refused, String message) {
    return switch (refused) {
      case PublicationPlan.CreateSchema _, PublicationPlan.MarkSchema _ ->
          new PublicationStatus(seen)
              .refused(PublicationStatus.SCHEMA_PUBLISHED, "SchemaRefused", message);
      case PublicationPlan.UpdateExport _ ->
          new PublicationStatus(seen).refused(PublicationStatus.EXPORTED, "ExportRefused", message);
      case PublicationPlan.ReportStatus _, PublicationPlan.Settled _ ->
          new PublicationPlan.Settled();
    };
  }

  /** The publication, unless an older PublishedResource has what it wants. */
  static Publication accepted(PublicationSnapshot seen) {
    return seen.publication() instanceof Publication.Ready ready && seen.nameConflict().isPresent()
        ? duplicate(seen.nameConflict().get(), ready)
        : seen.publication();
  }

  private static Publication.Rejected duplicate(
      NameConflict nameConflict, Publication.Ready ready) {
    return new Publication.Rejected(
        "DuplicateResource",
        switch (nameConflict) {
          case NameConflict.SameType(var name) ->
              ("PublishedResource %s already publishes %s; delete one of them, or project"
                      + " this one to another name.")
                  .formatted(name, ready.schema().inKcp().resource().qualified());
          case NameConflict.SameKind(var name) ->
              ("PublishedResource %s already syncs %s; delete one of them, or set"
                      + " spec.synchronization.enabled of this one to false.")
                  .formatted(name, ready.schema().onService().resource().qualified());
        });
  }

  private static PublicationPlan schema(
      PublicationSnapshot seen, Publication.Ready ready, KubeObject export) {
    KubeObject wanted = ready.schema().schema(seen.agent().name());
    if (seen.schema().isEmpty()) {
      return new PublicationPlan.CreateSchema(wanted);
    }
    KubeObject schema = seen.schema().get();
    if (schema.labels().containsKey(SyncMarks.AGENT_NAME)) {
      return step(seen, ready, export);
    }
    return new PublicationPlan.MarkSchema(
        schema,
        Map.of("metadata", Map.of("labels", wanted.labels(), "annotations", wanted.annotations())));
  }

  private static SchemaStep step(PublicationSnapshot seen, Publication.Ready ready) {
    return SchemaStep.of(seen.listed(), ready.schema(), ready.published(), seen.resource());
  }

  private static PublicationPlan step(
      PublicationSnapshot seen, Publication.Ready ready, KubeObject export) {
    List<Object> resources = ExportMerge.resources(export, ready.schema());
    SchemaStep step = step(seen, ready);
    return switch (step) {
      case SchemaStep.Held held -> {
        PublicationPlan claims = export(seen, ready, export, export.list("spec", "resources"));
        yield claims instanceof PublicationPlan.UpdateExport
            ? claims
            : new PublicationStatus(seen).held(ready, held, export);
      }
      case SchemaStep.None(), SchemaStep.Harmless(), SchemaStep.Breaking(var _, var _) -> {
        PublicationPlan plan = export(seen, ready, export, resources);
        if (!(plan instanceof PublicationPlan.UpdateExport)) {
          yield plan;
        }
        // Who waits for the export may update the PublishedResource at once: a status that was
        // written after the export would make that a conflict. And once the export is changed,
        // nothing knows what the schema was.
        PublicationPlan report = new PublicationStatus(seen).announced(ready, export, step);
        yield report instanceof PublicationPlan.Settled ? plan : report;
      }
    };
  }

  private static PublicationPlan export(
      PublicationSnapshot seen,
      Publication.Ready ready,
      KubeObject export,
      List<Object> resources) {
    List<ExportMerge.Claim> missing = ExportMerge.missingClaims(export, ready.published());
    var annotations = new LinkedHashMap<>(seen.agent().exportAnnotations());
    annotations.put(SyncMarks.AGENT_NAME, seen.agent().name());
    boolean marked =
        annotations.entrySet().stream()
            .allMatch(
                entry -> export.annotation(entry.getKey()).equals(Optional.of(entry.getValue())));
    List<Object> before = export.list("spec", "resources");
    // What another agent's export lacks was said before: it has what is needed, in any order.
    if (marked && missing.isEmpty() && resources.equals(before)
        || ExportOwnership.notice(export, seen.agent().name()).isPresent()) {
      return new PublicationStatus(seen).exported(ready, export);
    }
    var spec = new LinkedHashMap<String, Object>();
    List<String> verbs = ready.published().schemaRules().claimVerbs();
    spec.put("resources", resources);
    if (!missing.isEmpty()) {
      spec.put("permissionClaims", ExportMerge.claims(export, missing, verbs));
      if (verbs.equals(SchemaRules.EVERY_VERB)) {
        annotations.put(
            ExportMerge.CLAIMS_IN_OLD_FORM, ExportMerge.claimsInOldForm(export, missing));
      }
    }
    return new PublicationPlan.UpdateExport(
        export,
        Map.of("metadata", Map.of("annotations", annotations), "spec", spec),
        new PublicationPlan.ExportDiff(
            without(names(resources), names(before)),
            without(names(before), names(resources)),
            missing.stream().map(ExportMerge.Claim::toString).distinct().toList()));
  }

  private static List<String> names(List<Object> resources) {
    return resources.stream().map(entry -> Trees.text(entry, "schema")).toList();
  }

  private static List<String> without(List<String> names, List<String> others) {
    var rest = new ArrayList<>(names);
    rest.removeAll(others);
    return rest;
  }
}
