package dev.mooring.cli.render;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.syncagent.publish.decide.ExportLookup;
import dev.mooring.syncagent.publish.decide.ListedSchema;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.publish.decide.PublicationPlan;
import dev.mooring.syncagent.publish.decide.PublicationPlanner;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot.NameConflict;
import dev.mooring.syncagent.publish.decide.StatusFields;
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
final class ExportRendering {
  private final String agentName;

  private final Map<String, KubeObject> schemas = new LinkedHashMap<>();
  private final List<String> created = new ArrayList<>();
  private final List<Publication.Ready> published = new ArrayList<>();
  private KubeObject export;

  /**
   * @param export as it is before
   * @param schemas that exist before
   */
  ExportRendering(String agentName, KubeObject export, List<KubeObject> schemas) {
    this.agentName = agentName;
    this.export = export;
    schemas.forEach(schema -> this.schemas.put(schema.name(), schema));
  }

  /** Publishes one; returns why the agent would not, or not as its owner wants. */
  Optional<String> publish(KubeObject resource, Publication publication) {
    while (apply(PublicationPlanner.plan(snapshot(resource, publication)))) {
      // Until the planner asks for no more writes.
    }
    Optional<String> problem = PublicationPlanner.problem(snapshot(resource, publication));
    if (problem.isEmpty() && publication instanceof Publication.Ready ready) {
      published.add(ready);
    }
    return problem;
  }

  /** That the agent creates. */
  List<KubeObject> schemas() {
    return created.stream().map(schemas::get).toList();
  }

  KubeObject export() {
    return export;
  }

  /** What was published without a problem. */
  List<Publication.Ready> published() {
    return List.copyOf(published);
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
      case PublicationPlan.UpdateExport(var before, var patch, var _) -> {
        export = MergePatch.apply(before, patch);
        yield true;
      }
      case PublicationPlan.ReportStatus _, PublicationPlan.Settled _ -> false;
    };
  }

  private PublicationSnapshot snapshot(KubeObject resource, Publication publication) {
    var lookup = new ExportLookup.Found(export);
    Optional<KubeObject> schema = Optional.empty();
    ListedSchema listed = new ListedSchema.None();
    if (publication instanceof Publication.Ready ready) {
      schema = Optional.ofNullable(schemas.get(ready.schema().schemaName()));
      listed =
          lookup
              .predecessorOf(ready.schema(), resource.text("status", "resourceSchemaName"))
              .<ListedSchema>map(name ->
                  schemas.containsKey(name)
                      ? new ListedSchema.Found(schemas.get(name))
                      : new ListedSchema.Gone(name))
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
    for (Publication.Ready other : published) {
      if (NameConflict.isSameType(other.schema(), schema)) {
        return Optional.of(new NameConflict.SameType(other.published().name()));
      }
    }
    return Optional.empty();
  }
}
