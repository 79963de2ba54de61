package dev.mooring.cli.published;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.syncagent.publish.decide.ExportLookup;
import dev.mooring.syncagent.publish.decide.ListedSchema;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.publish.decide.PublicationPlan;
import dev.mooring.syncagent.publish.decide.PublicationPlan.ExportDiff;
import dev.mooring.syncagent.publish.decide.PublicationPlanner;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot.NameConflict;
import dev.mooring.syncagent.publish.decide.StatusFields;
import dev.mooring.syncagent.published.Publishing;
import dev.mooring.syncagent.sync.decide.SyncState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the agent writes to kcp for PublishedResources: runs the agent's planner on an export in
 * memory, until the planner asks for no more writes.
 */
public final class ExportRendering {
  private final String agentName;
  private final Writer writer;

  private final Map<String, KubeObject> schemas = new LinkedHashMap<>();
  private final List<String> created = new ArrayList<>();
  private final List<Done> done = new ArrayList<>();
  private final List<ExportDiff> diffs = new ArrayList<>();
  private KubeObject export;

  /** Published without a problem. */
  private record Done(KubeObject resource, Publication.Ready ready) {}

  /** Who writes the schemas and the export. */
  public sealed interface Writer {
    /** The agent, or a user who applies what it would write. */
    record Anyone() implements Writer {}

    /** The agent, unless {@code spec.publishing} or this default of the agent's says otherwise. */
    record Agent(Publishing publishing) implements Writer {}
  }

  /**
   * @param export as it is before
   * @param schemas that exist before
   */
  public ExportRendering(
      String agentName, Writer writer, KubeObject export, List<KubeObject> schemas) {
    this.agentName = agentName;
    this.writer = writer;
    this.export = export;
    schemas.forEach(schema -> this.schemas.put(schema.name(), schema));
  }

  /** Publishes one; returns why the agent would not, or not as its owner wants. */
  public Optional<String> publish(KubeObject resource, Publication publication) {
    while (apply(PublicationPlanner.plan(snapshot(resource, publication)))) {
      // Until the planner asks for no more writes.
    }
    Optional<String> problem = PublicationPlanner.problem(snapshot(resource, publication));
    if (problem.isEmpty() && publication instanceof Publication.Ready ready) {
      done.add(new Done(resource, ready));
    }
    return problem;
  }

  /** That the agent creates. */
  public List<KubeObject> schemas() {
    return created.stream().map(schemas::get).toList();
  }

  public KubeObject export() {
    return export;
  }

  /** What was published without a problem. */
  public List<Publication.Ready> published() {
    return done.stream().map(Done::ready).toList();
  }

  /** What the writes to the export changed, in order. */
  public List<ExportDiff> diffs() {
    return List.copyOf(diffs);
  }

  /** Whether others write the schema and the export's entry of a PublishedResource. */
  public boolean isExternal(Publication publication) {
    return switch (writer) {
      case Writer.Anyone() -> false;
      case Writer.Agent(var otherwise) ->
          publication instanceof Publication.Ready(var resource, var _)
              && resource.schemaRules().publishing().orElse(otherwise) == Publishing.EXTERNAL;
    };
  }

  /** Whether there is a write, which is then done. */
  private boolean apply(PublicationPlan plan) {
    return switch (plan) {
      case PublicationPlan.CreateSchema(var schema) -> {
        schemas.put(schema.name(), schema);
        created.add(schema.name());
        yield true;
      }
      case PublicationPlan.MarkSchema(var schema, var patch) -> {
        schemas.put(schema.name(), MergePatch.apply(schema, patch));
        yield true;
      }
      case PublicationPlan.UpdateExport(var before, var patch, var diff) -> {
        export = MergePatch.apply(before, patch);
        diffs.add(diff);
        yield true;
      }
      case PublicationPlan.ReportStatus _, PublicationPlan.Settled _ -> false;
    };
  }

  private PublicationSnapshot snapshot(KubeObject resource, Publication publication) {
    ExportLookup lookup =
        isExternal(publication)
            ? new ExportLookup.External(export)
            : new ExportLookup.Found(export);
    Optional<KubeObject> schema = Optional.empty();
    ListedSchema listed = new ListedSchema.None();
    if (publication instanceof Publication.Ready ready) {
      schema = Optional.ofNullable(schemas.get(ready.schema().schemaName()));
      String last = resource.text("status", "resourceSchemaName");
      Optional<String> name =
          lookup instanceof ExportLookup.External external
              ? external.exported(ready.schema(), last)
              : new ExportLookup.Found(export).predecessorOf(ready.schema(), last);
      listed =
          name.<ListedSchema>map(before ->
                  schemas.containsKey(before)
                      ? new ListedSchema.Found(schemas.get(before))
                      : new ListedSchema.Gone(before))
              .orElse(listed);
    }
    return new PublicationSnapshot(
        resource,
        publication,
        new PublicationSnapshot.Agent(agentName, Map.of(), StatusFields.NONE),
        lookup,
        schema,
        listed,
        conflict(publication),
        new SyncState.Off(),
        Instant.EPOCH);
  }

  private Optional<NameConflict> conflict(Publication publication) {
    if (!(publication instanceof Publication.Ready(var own, var schema))) {
      return Optional.empty();
    }
    for (Done other : done) {
      if (NameConflict.isSameType(other.ready().schema(), schema)) {
        return Optional.of(new NameConflict.SameType(other.resource().name()));
      }
      if (NameConflict.isSameKind(other.resource(), own)) {
        return Optional.of(new NameConflict.SameKind(other.resource().name()));
      }
    }
    return Optional.empty();
  }
}
