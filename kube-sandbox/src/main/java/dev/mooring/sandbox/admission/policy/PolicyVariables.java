package dev.mooring.sandbox.admission.policy;

import dev.cel.common.types.CelType;
import dev.cel.common.types.StructTypeReference;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.LazyExpression;
import dev.mooring.sandbox.cel.CelEnvironment;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import dev.mooring.sandbox.cel.StructTypes;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A policy's {@code variables}, compiled; each may use those before it. A variable gets its value
 * when an expression asks for it first.
 */
final class PolicyVariables {
  private static final String VARIABLES = "variables";
  private static final String TYPE = "kubernetes.variables";

  /** Of a policy without variables: its expressions know nothing of that name. */
  private static final PolicyVariables NONE = new PolicyVariables(Map.of(), Map.of());

  private final Map<String, LazyExpression> expressions;
  private final Map<String, CelType> types;

  private PolicyVariables(Map<String, LazyExpression> expressions, Map<String, CelType> types) {
    this.expressions = expressions;
    this.types = types;
  }

  /**
   * Variables that do not compile are left out.
   *
   * @param tree the list of variables
   * @param environment what they may use in addition
   */
  static PolicyVariables of(@Nullable Object tree, CelEnvironment environment) {
    return checked(tree, environment, (index, problem) -> {});
  }

  /** Called for each variable that does not compile. */
  @FunctionalInterface
  interface Problems {
    void add(int index, String problem);
  }

  static PolicyVariables checked(
      @Nullable Object tree, CelEnvironment environment, Problems problems) {
    var expressions = new LinkedHashMap<String, LazyExpression>();
    var types = new HashMap<String, CelType>();
    List<Object> variables = Trees.listOrEmpty(tree);
    if (variables.isEmpty()) {
      return NONE;
    }
    for (int i = 0; i < variables.size(); i++) {
      String name = Trees.text(variables.get(i), "name");
      var expression =
          new LazyExpression(
              Trees.text(variables.get(i), "expression"),
              new PolicyVariables(Map.of(), types).extend(environment),
              CelExpression.Result.ANY);
      try {
        types.put(name, expression.compiled().type());
        expressions.put(name, expression);
      } catch (InvalidExpression e) {
        problems.add(i, String.valueOf(e.getMessage()));
      }
    }
    return new PolicyVariables(expressions, types);
  }

  /** The environment with {@code variables}, if there are any. */
  CelEnvironment extend(CelEnvironment environment) {
    if (this == NONE) {
      return environment;
    }
    // All variables of admission have such types.
    var structs = (StructTypes) environment.types();
    return environment
        .with(structs.with(TYPE, types))
        .with(VARIABLES, StructTypeReference.create(TYPE));
  }

  /** The values and {@code variables}. */
  Map<String, Object> values(Map<String, Object> values) {
    if (expressions.isEmpty()) {
      return values;
    }
    var all = new HashMap<>(values);
    all.put(VARIABLES, new Computed(all));
    return all;
  }

  /** Of one evaluation, one thread. */
  private final class Computed extends AbstractMap<String, Object> {
    private final Map<String, Object> inputs;
    private final Map<String, Object> computed = new HashMap<>();

    Computed(Map<String, Object> inputs) {
      this.inputs = inputs;
    }

    @Override
    public boolean containsKey(Object name) {
      return expressions.containsKey(name);
    }

    @Override
    public @Nullable Object get(Object name) {
      Object known = computed.get(name);
      LazyExpression expression = expressions.get(name);
      if (known != null || expression == null) {
        return known;
      }
      try {
        Object value = expression.evaluateUnnamed(inputs);
        computed.put((String) name, value);
        return value;
      } catch (EvaluationFailed e) {
        throw new EvaluationFailed(
            "composited variable \"%s\" fails to evaluate: %s".formatted(name, e.getMessage()));
      }
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
      var entries = new ArrayList<Map.Entry<String, Object>>();
      for (String name : expressions.keySet()) {
        Object value = get(name);
        if (value != null) {
          entries.add(Map.entry(name, value));
        }
      }
      return Set.copyOf(entries);
    }
  }
}
