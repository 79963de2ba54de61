package dev.mooring.sandbox.strategy;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.fields.FieldCheck;
import dev.mooring.sandbox.fields.FieldSchema;
import dev.mooring.sandbox.fields.LastApplied;
import dev.mooring.sandbox.fields.ManagedFields;
import dev.mooring.sandbox.fields.ServerSideApply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
      ResourceType type = definition.type();
      throw ApiFailure.of(
          500,
          "",
          "failed to create typed patch object (%s/%s; %s/%s, Kind=%s): %s"
              .formatted(
                  wanted.namespace(),
                  wanted.name(),
                  type.group(),
                  type.version(),
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
    KubeObject part =
        wanted.without("spec").without("metadata", "labels").without("metadata", "annotations");
    return part;
  }

  private static ApiFailure conflict(List<ServerSideApply.Conflict> conflicts) {
    var causes = new ArrayList<Object>();
    var byManager = new TreeMap<String, List<String>>();
    for (ServerSideApply.Conflict conflict : conflicts) {
      causes.add(
          ApiFailure.cause(
              "FieldManagerConflict", "conflict with " + conflict.manager(), conflict.path()));
      byManager.computeIfAbsent(conflict.manager(), _ -> new ArrayList<>()).add(conflict.path());
    }
    var details = new LinkedHashMap<String, Object>();
    details.put("causes", causes);
    return ApiFailure.of(409, "Conflict", message(conflicts, byManager), details);
  }

  private static String message(
      List<ServerSideApply.Conflict> conflicts, Map<String, List<String>> byManager) {
    if (conflicts.size() == 1) {
      ServerSideApply.Conflict only = conflicts.getFirst();
      return "Apply failed with 1 conflict: conflict with " + only.manager() + ": " + only.path();
    }
    var lines = new ArrayList<String>();
    byManager.forEach((manager, paths) -> {
      lines.add("conflicts with " + manager + ":");
      paths.forEach(path -> lines.add("- " + path));
    });
    return "Apply failed with " + conflicts.size() + " conflicts: " + String.join("\n", lines);
  }
}
