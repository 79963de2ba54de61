package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.schema.CompiledSchema;
import java.util.List;
import java.util.stream.Collectors;

/** What becomes of fields that a schema does not know. */
public record UnknownFields(CompiledSchema schema, ResourceType type, String kind) {

  /** Without them; they are reported or refused, as the client asked. Throws {@link ApiFailure}. */
  public KubeObject removed(KubeObject body, WriteContext context) {
    CompiledSchema.Pruned pruned = schema.prune(body);
    List<String> unknown = pruned.unknownFields();
    switch (context.fieldValidation()) {
      case IGNORE -> {}
      case WARN -> unknown.forEach(field -> context.warn("unknown field \"" + field + "\""));
      case STRICT -> {
        if (!unknown.isEmpty()) {
          throw ApiFailure.badRequest(refusal(unknown));
        }
      }
    }
    return pruned.object();
  }

  private String refusal(List<String> unknown) {
    return "%s in version \"%s\" cannot be handled as a %s: strict decoding error: %s"
        .formatted(
            kind,
            type.version(),
            kind,
            unknown.stream()
                .map(field -> "unknown field \"" + field + "\"")
                .collect(Collectors.joining(", ")));
  }
}
