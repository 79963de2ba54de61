package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import java.util.Objects;

/** What was found of the wanted APIResourceSchema. */
public sealed interface SchemaSighting {
  /** Also where the export is not known. */
  record Missing() implements SchemaSighting {}

  record Found(KubeObject schema) implements SchemaSighting {
    public Found {
      Objects.requireNonNull(schema, "schema");
    }
  }
}
