package dev.mooring.sandbox.strategy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.fields.FieldCheck;
import dev.mooring.sandbox.fields.FieldSchema;
import dev.mooring.sandbox.fields.LastApplied;
import dev.mooring.sandbox.fields.ManagedFields;
import dev.mooring.sandbox.fields.ServerSideApply;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a server-side apply does before the steps that it shares with other writes. */
final class ApplySteps {
  private static final String STATUS = "status";

  private ApplySteps() {}

  /**
   * Throws {@link ApiFailure} 409 for fields of others.
   *
   * @param live the object in the served version; an empty map for none
   */
  static KubeObject applied(
      WriteTarget target,
      WriteContext context,
      Map<String, Object> live,
      Change.Apply apply,
      String now) {
    FieldSchema schema = FieldSchema.root(target.definition().schema());
    requireTyped(target.definition(), apply.wanted(), schema);
    ManagedFields.Writer writer = target.writer(context, now);
    ServerSideApply applied =
        ServerSideApply.of(live, relevant(target, apply.wanted()), schema, writer, apply.force());
    if (!applied.conflicts().isEmpty()) {
      throw conflict(applied.conflicts());
    }
    reportRepetitions(context);
    return LastApplied.noted(applied.object(), apply.wanted(), writer);
  }

  private static void requireTyped(
      ResourceDefinition definition, KubeObject wanted, FieldSchema schema) {
    String errors = FieldCheck.errors(wanted.tree(), schema);
    if (!errors.isEmpty()) {
      throw ApiFailure.of(
          500,
          "",
          "failed to create typed patch object (%s/%s; %s/%s, Kind=%s): %s"
              .formatted(
                  wanted.namespace(),
                  wanted.name(),
                  definition.type().group(),
                  definition.type().version(),
                  definition.kind(),
                  errors),
          null);
    }
  }

  /** What the client said twice, which Kubernetes reads after it has merged. */
  private static void reportRepetitions(WriteContext context) {
    for (String repetition : context.repeatedFields()) {
      switch (context.fieldValidation()) {
        case IGNORE -> {}
        case WARN -> context.warn(repetition);
        case STRICT -> throw ApiFailure.badRequest("error strict decoding YAML: " + repetition);
      }
    }
    context.noteRepeatedFields(List.of());
  }

  /** The other part of an object cannot be written here, and so is not owned either. */
  private static KubeObject relevant(WriteTarget target, KubeObject wanted) {
    if (target.whole()) {
      return target.definition().subresources().containsKey(STATUS)
          ? wanted.without(STATUS)
          : wanted;
    }
    if (!target.subresource().equals(STATUS)) {
      return wanted;
    }
    return wanted.without("spec").without("metadata", "labels").without("metadata", "annotations");
  }

  private static ApiFailure conflict(List<ServerSideApply.Conflict> conflicts) {
    List<Map<String, Object>> causes =
        conflicts.stream()
            .map(conflict ->
                ApiFailure.cause(
                    "FieldManagerConflict", "conflict with " + conflict.manager(), conflict.path()))
            .toList();
    String list =
        conflicts.stream()
            .map(conflict -> "conflict with " + conflict.manager() + ": " + conflict.path())
            .collect(Collectors.joining("\n- "));
    return ApiFailure.of(
        409,
        "Conflict",
        "Apply failed with %d conflict%s: %s"
            .formatted(conflicts.size(), conflicts.size() == 1 ? "" : "s", list),
        Map.of("causes", causes));
  }
}
