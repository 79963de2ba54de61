package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.LazyExpression;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.cel.CelEnvironment;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import dev.mooring.sandbox.cel.PatchObjects;
import dev.mooring.sandbox.patch.JsonPatch;
import dev.mooring.sandbox.patch.PatchFailure;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One of a policy's {@code mutations}. */
record Mutation(LazyExpression expression, Kind kind) {
  /** How the value of the expression changes an object. */
  enum Kind {
    APPLY_CONFIGURATION,
    JSON_PATCH
  }

  static Mutation of(Object tree, CelEnvironment environment) {
    CelEnvironment patches = environment.in(CelEnvironment.Dialect.PATCH);
    return Trees.text(tree, "patchType").equals("JSONPatch")
        ? new Mutation(
            new LazyExpression(
                Trees.text(tree, "jsonPatch", "expression").strip(),
                patches,
                CelExpression.Result.PATCHES),
            Kind.JSON_PATCH)
        : new Mutation(
            new LazyExpression(
                Trees.text(tree, "applyConfiguration", "expression").strip(),
                patches,
                CelExpression.Result.OBJECT),
            Kind.APPLY_CONFIGURATION);
  }

  /**
   * The object as the mutation leaves it.
   *
   * @param values of the policy's environment
   * @param seen the resource in the object's version
   * @throws MutationFailure if the expression has no value, or its value does not fit
   * @throws ApiFailure if the result is no such object
   */
  KubeObject applied(KubeObject object, Map<String, ?> values, ResourceDefinition seen) {
    Object value;
    try {
      value = expression.evaluate(values);
    } catch (EvaluationFailed e) {
      throw new MutationFailure(String.valueOf(e.getMessage()));
    }
    return switch (kind) {
      case APPLY_CONFIGURATION ->
          KubeObject.of(
              ApplyConfiguration.merge(
                  object.tree(), Trees.mapOrEmpty(PatchValues.tree(value)), seen.schema()));
      case JSON_PATCH -> patched(object, value, seen);
    };
  }

  private static KubeObject patched(KubeObject object, Object value, ResourceDefinition seen) {
    List<Object> operations = ((List<?>) value).stream().<Object>map(Mutation::operation).toList();
    try {
      Object result = JsonPatch.apply(object.tree(), operations);
      return strictlyDecoded(KubeObject.of(Trees.mapOrEmpty(result)), seen);
    } catch (PatchFailure e) {
      if (e.reason() == PatchFailure.Cause.TEST_FAILED) {
        return object;
      }
      throw new MutationFailure("JSON Patch: " + e.getMessage());
    }
  }

  /** As JSON patches have it; each value is checked on its own. */
  private static Map<String, Object> operation(Object patch) {
    var operation = new LinkedHashMap<String, Object>();
    Trees.mapOrEmpty(patch)
        .forEach((key, part) -> {
          if (!key.equals(PatchObjects.TYPE)) {
            operation.put(key, PatchValues.tree(part));
          }
        });
    return operation;
  }

  private static KubeObject strictlyDecoded(KubeObject object, ResourceDefinition seen) {
    var context =
        new WriteContext(
            UserInfo.SYSTEM,
            LogicalCluster.NONE,
            object.namespace(),
            WriteContext.Effect.DRY_RUN,
            WriteContext.FieldValidation.STRICT,
            "policy");
    try {
      return seen.decoder().decode(object, context);
    } catch (UnreadableObject e) {
      throw ApiFailure.internal(e.why());
    }
  }
}
