package dev.mooring.sandbox.admission.policy;

import dev.cel.common.values.NullValue;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.LazyExpression;
import dev.mooring.sandbox.admission.match.SeenWrite;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A policy's {@code variables}, compiled, and all that its expressions can use in addition. {@code
 * params} is always null and {@code authorizer} is not offered.
 */
final class PolicyVariables {
  static final Set<String> NAMES =
      Set.of("object", "oldObject", "request", "params", "namespaceObject", "variables");

  private final List<Named> variables;

  private record Named(String name, LazyExpression expression) {}

  private PolicyVariables(List<Named> variables) {
    this.variables = variables;
  }

  static PolicyVariables of(@Nullable Object tree) {
    return new PolicyVariables(
        Trees.listOrEmpty(tree).stream()
            .map(variable ->
                new Named(
                    Trees.text(variable, "name"),
                    new LazyExpression(
                        Trees.text(variable, "expression"), NAMES, CelExpression.Result.ANY)))
            .toList());
  }

  /**
   * Values for all of {@link #NAMES}. A variable without a value is left out, so that expressions
   * that use it have none either.
   *
   * @param namespace the write's Namespace; empty if it has none
   */
  Map<String, Object> values(SeenWrite write, Optional<KubeObject> namespace) {
    var values = new HashMap<String, Object>(write.variables());
    values.put("params", NullValue.NULL_VALUE);
    values.put(
        "namespaceObject", namespace.<Object>map(KubeObject::tree).orElse(NullValue.NULL_VALUE));
    var computed = new LinkedHashMap<String, Object>();
    values.put("variables", computed);
    for (Named variable : variables) {
      try {
        computed.put(variable.name(), variable.expression().evaluate(values));
      } catch (EvaluationFailed leftOut) {
        computed.remove(variable.name());
      }
    }
    return values;
  }
}
