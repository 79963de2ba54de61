package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import java.util.List;
import java.util.Map;

/** What to write now for one PublishedResource. */
public sealed interface PublicationPlan {
  record Settled() implements PublicationPlan {}

  /** Make the schema; its name says its content, so an existing one is the same. */
  record CreateSchema(KubeObject schema) implements PublicationPlan {}

  /** Put the agent's marks on a schema that has none. */
  record MarkSchema(KubeObject schema, Map<String, Object> patch) implements PublicationPlan {}

  /** Write resources and claims to the export, as it was seen. */
  record UpdateExport(KubeObject export, Map<String, Object> patch, ExportDiff news)
      implements PublicationPlan {}

  /** What changes in an export, for events; each may be empty. */
  record ExportDiff(
      List<String> schemasAdded, List<String> schemasRemoved, List<String> claimsAdded) {
    public ExportDiff {
      schemasAdded = List.copyOf(schemasAdded);
      schemasRemoved = List.copyOf(schemasRemoved);
      claimsAdded = List.copyOf(claimsAdded);
    }
  }

  /** Write the status, as the PublishedResource was seen. */
  record ReportStatus(KubeObject resource, Map<String, Object> status) implements PublicationPlan {}

  /** What to do about the syncing of objects; it runs, or does not, before anything is written. */
  sealed interface SyncChange {
    /** As it is now. */
    record None() implements SyncChange {}

    /** Does nothing if the type is synced as this schema already. */
    record Start(PublishedResource published, ProjectedSchema schema) implements SyncChange {}

    /** Copies stay as they are. */
    record Stop() implements SyncChange {}
  }
}
