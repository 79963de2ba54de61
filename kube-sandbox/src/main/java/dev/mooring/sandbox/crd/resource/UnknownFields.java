package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.builtin.typed.TypedDecoder;
import dev.mooring.sandbox.schema.CompiledSchema;
import java.util.ArrayList;
import java.util.List;

/** What becomes of fields that a schema does not know. */
public record UnknownFields(CompiledSchema schema, ResourceType type, String kind) {

  /**
   * Without them; they are reported or refused, as the client asked.
   *
   * @throws UnreadableObject also for metadata of a wrong type
   */
  public KubeObject removed(KubeObject body, WriteContext context) {
    var unknown = new ArrayList<String>();
    KubeObject typed = TypedDecoder.decodeMetadata(body, kind, unknown);
    CompiledSchema.Pruned pruned = schema.prune(typed);
    unknown.addAll(pruned.unknownFields());
    KubeObject read =
        schema.hasEmbeddedObjects()
            ? new EmbeddedObjects(kind, type.version(), unknown)
                .read(pruned.object(), schema.structural())
            : pruned.object();
    List<String> complaints = context.strictComplaints(unknown);
    switch (context.fieldValidation()) {
      case IGNORE -> {}
      case WARN -> complaints.forEach(context::warn);
      case STRICT -> {
        if (!complaints.isEmpty()) {
          String why = "strict decoding error: " + String.join(", ", complaints);
          throw UnreadableObject.of(kind, type.version(), why);
        }
      }
    }
    return read;
  }
}
