package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import java.util.Objects;

/** What was found of the wanted APIResourceSchema. */
public sealed interface SchemaLookup {
  /** Also where the export is not known. */
  record Missing() implements SchemaLookup {}

  record Found(KubeObject schema) implements SchemaLookup {
    public Found {
      Objects.requireNonNull(schema, "schema");
    }
  }
}
