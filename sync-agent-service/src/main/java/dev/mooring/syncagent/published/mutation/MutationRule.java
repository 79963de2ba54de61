package dev.mooring.syncagent.published.mutation;

import dev.mooring.languages.cel.CelExpression;
import dev.mooring.languages.cel.CelValues;
import dev.mooring.languages.gjson.JsonEdit;
import dev.mooring.languages.gjson.JsonPath;
import dev.mooring.languages.regex.GoRegex;
import dev.mooring.languages.template.GoTemplate;
import dev.mooring.languages.template.value.GjsonValue;
import dev.mooring.model.object.KubeObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One step of a mutation, compiled. */
sealed interface MutationRule {
  /** Fields that a template can read. */
  Set<String> TEMPLATE_FIELDS = Set.of("Value", "LocalObject", "RemoteObject");

  /** Variables that an expression can read. */
  Set<String> CEL_VARIABLES = Set.of("self", "other", "value");

  /**
   * The object after this step.
   *
   * @throws dev.mooring.languages.ExpressionFailure if it has no result for these objects
   * @throws dev.mooring.languages.TemplateFailure likewise
   */
  KubeObject apply(Counterparts seen);

  private static KubeObject with(Counterparts seen, JsonEdit edit, Object value) {
    return KubeObject.owning(edit.set(seen.object().tree(), value));
  }

  /** Takes away what is at a path. */
  record Delete(JsonEdit edit) implements MutationRule {
    @Override
    public KubeObject apply(Counterparts seen) {
      Map<String, Object> before = seen.object().tree();
      Map<String, Object> after = edit.delete(before);
      return after == before ? seen.object() : KubeObject.owning(after);
    }
  }

  /**
   * Makes text of what is at a path and replaces what fits a pattern.
   *
   * @param pattern empty means that the replacement is the new value
   */
  record Regex(JsonPath path, JsonEdit edit, Optional<GoRegex> pattern, String replacement)
      implements MutationRule {
    @Override
    public KubeObject apply(Counterparts seen) {
      String value =
          pattern
              .map(regex ->
                  regex.replaceAll(JsonPath.text(path.read(seen.object().tree())), replacement))
              .orElse(replacement);
      return with(seen, edit, value);
    }
  }

  /** Puts a rendered text at a path. */
  record Template(JsonPath path, JsonEdit edit, GoTemplate template) implements MutationRule {
    @Override
    public KubeObject apply(Counterparts seen) {
      return with(
          seen,
          edit,
          template.render(
              Map.of(
                  "Value", new GjsonValue(path.read(seen.object().tree())),
                  "LocalObject", tree(seen.local()),
                  "RemoteObject", tree(seen.remote()))));
    }

    private static Map<String, Object> tree(Optional<KubeObject> object) {
      return object.map(KubeObject::tree).orElse(Map.of());
    }
  }

  /** Puts an expression's value at a path. */
  record Cel(JsonPath path, JsonEdit edit, CelExpression expression) implements MutationRule {
    @Override
    public KubeObject apply(Counterparts seen) {
      var variables = new HashMap<String, CelValues>();
      variables.put("self", CelValues.of(seen.object().tree()));
      variables.put("other", CelValues.of(seen.other().map(KubeObject::tree).orElse(null)));
      variables.put(
          "value",
          CelValues.ofDoubles(
              path.read(seen.object().tree()) instanceof JsonPath.Result.Found(var value, _)
                  ? value
                  : null));
      return with(seen, edit, expression.evaluate(variables));
    }
  }
}
