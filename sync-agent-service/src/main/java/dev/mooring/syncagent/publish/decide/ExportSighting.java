package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.Objects;

/** What was found of the APIExport. */
public sealed interface ExportSighting {
  record Found(KubeObject export) implements ExportSighting {
    public Found {
      Objects.requireNonNull(export, "export");
    }

    /** Whether it serves by this schema: kcp lists none that does not exist. */
    public boolean lists(String schemaName) {
      return export.list("spec", "resources").stream()
          .anyMatch(entry -> schemaName.equals(Trees.at(entry, "schema")));
    }
  }

  /** It does not exist, or it is not known where it is; the message says which. */
  record Unknown(String reason, String message) implements ExportSighting {}
}
