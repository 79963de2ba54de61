package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What to do now for one PublishedResource. */
public sealed interface PublicationPlan {
  record Settled() implements PublicationPlan {}

  /** Make the schema; its name says its content, so an existing one is the same. */
  record CreateSchema(KubeObject schema) implements PublicationPlan {}

  /**
   * Write resources and claims to the export, as it was seen.
   *
   * @param claimsAdded for the event; empty if only the schemas change
   */
  record UpdateExport(KubeObject export, Map<String, Object> patch, List<String> claimsAdded)
      implements PublicationPlan {
    public UpdateExport {
      Objects.requireNonNull(export, "export");
      Objects.requireNonNull(patch, "patch");
      claimsAdded = List.copyOf(claimsAdded);
    }
  }

  /** Write the status, as the PublishedResource was seen. */
  record ReportStatus(KubeObject resource, Map<String, Object> status) implements PublicationPlan {
    public ReportStatus {
      Objects.requireNonNull(resource, "resource");
      Objects.requireNonNull(status, "status");
    }
  }
}
