package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.ProjectedSchema;
import java.util.Objects;
import java.util.Optional;

/** What was found of the APIExport. */
public sealed interface ExportSighting {
  record Found(KubeObject export) implements ExportSighting {
    public Found {
      Objects.requireNonNull(export, "export");
    }

    /** Name of the schema by which it serves the type; empty if it does not. */
    public Optional<String> schemaOf(ProjectedSchema type) {
      return ExportMerge.listed(export, type);
    }
  }

  /** It does not exist, or it is not known where it is; the message says which. */
  record Unknown(String reason, String message) implements ExportSighting {}
}
