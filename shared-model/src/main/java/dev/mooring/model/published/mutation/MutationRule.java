package dev.mooring.model.published.mutation;

import dev.mooring.model.language.CelExpression;
import dev.mooring.model.language.CelValues;
import dev.mooring.model.language.GoRegex;
import dev.mooring.model.language.JsonEdit;
import dev.mooring.model.language.JsonPath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.template.GjsonValue;
import dev.mooring.model.published.template.GoTemplate;
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
   * @throws dev.mooring.model.language.ExpressionFailure if it has no result for these objects
   * @throws dev.mooring.model.published.template.TemplateFailure likewise
   */
  KubeObject apply(Counterparts seen);

  /** Takes away what is at a path. */
  record Delete(JsonEdit edit) implements MutationRule {
    @Override
    public KubeObject apply(Counterparts seen) {
      return edit.delete(seen.object());
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
      return edit.set(seen.object(), value);
    }
  }

  /** Puts a rendered text at a path. */
  record Template(JsonPath path, JsonEdit edit, GoTemplate template) implements MutationRule {
    @Override
    public KubeObject apply(Counterparts seen) {
      return edit.set(
          seen.object(),
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
      return edit.set(seen.object(), expression.evaluate(variables));
    }
  }
}
