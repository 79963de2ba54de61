package dev.mooring.syncagent.published.mutation;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.InvalidExpression;
import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.cel.CelExpression;
import dev.mooring.languages.cel.CelValues;
import dev.mooring.languages.gjson.JsonEdit;
import dev.mooring.languages.gjson.JsonPath;
import dev.mooring.languages.regex.GoRegex;
import dev.mooring.languages.template.GoTemplate;
import dev.mooring.languages.template.value.GjsonValue;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.InvalidPublishedResource;
import dev.mooring.syncagent.published.InvalidPublishedResource.Reason;
import dev.mooring.syncagent.published.Problems;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Steps that change an object in their order, each seeing what those before it made. Compiled once,
 * when the PublishedResource is read. Immutable, thread-safe.
 */
public final class Mutation {
  public static final Mutation NONE = new Mutation(List.of());

  /** More rules than this are a mistake; each is applied to every object. */
  private static final int RULES_MAX = 128;

  private static final List<String> KINDS = List.of("delete", "regex", "template", "cel");

  private final List<Step> steps;

  /**
   * @param title for messages, such as {@code spec.mutation.spec[0] (regex at "spec.name")}
   * @param change throws {@link ExpressionFailure} or {@link TemplateFailure} if it has no result
   *     for these objects
   */
  private record Step(String title, Function<Counterparts, KubeObject> change) {}

  private Mutation(List<Step> steps) {
    this.steps = List.copyOf(steps);
  }

  /** The object after all steps; throws {@link MutationFailure} naming the step that failed. */
  public KubeObject apply(Counterparts seen) {
    Counterparts current = seen;
    for (Step step : steps) {
      try {
        current = current.with(step.change().apply(current));
      } catch (ExpressionFailure | TemplateFailure e) {
        throw new MutationFailure(step.title() + ": " + e.getMessage());
      }
    }
    return current.object();
  }

  /** Reads and compiles the rules of one list. */
  static Mutation read(@Nullable Object tree, String field) {
    List<Object> rules = Trees.listOrEmpty(tree);
    if (rules.size() > RULES_MAX) {
      throw invalid(Reason.INVALID_SPEC, field + ": more than " + RULES_MAX + " rules");
    }
    var problems = new Problems();
    List<Step> steps = problems.checked(problems.readEach(rules, field, Mutation::step));
    return steps.isEmpty() ? NONE : new Mutation(steps);
  }

  private static Step step(Object tree, String field) {
    List<String> given = KINDS.stream().filter(kind -> Trees.at(tree, kind) != null).toList();
    if (given.size() != 1) {
      throw invalid(
          Reason.INVALID_SPEC,
          field
              + ": exactly one of delete, regex, template or cel is needed"
              + (given.isEmpty() ? "" : ", not " + String.join(" and ", given)));
    }
    String kind = given.getFirst();
    Object rule = Trees.at(tree, kind);
    String at = field + "." + kind;
    String path = Trees.text(rule, "path");
    if (path.isEmpty()) {
      throw invalid(Reason.INVALID_SPEC, at + ".path is missing");
    }
    try {
      return new Step(
          field + " (" + kind + " at \"" + path + "\")",
          switch (kind) {
            case "delete" -> deletion(path);
            case "regex" -> setting(path, regex(rule));
            case "template" -> setting(path, template(rule));
            default -> setting(path, cel(rule));
          });
    } catch (InvalidExpression e) {
      throw invalid(Reason.INVALID_MUTATION, at + ": " + e.getMessage());
    } catch (InvalidTemplate e) {
      throw invalid(Reason.INVALID_TEMPLATE, at + ".template: " + e.getMessage());
    }
  }

  private static Function<Counterparts, KubeObject> deletion(String path) {
    var edit = JsonEdit.compileDeletion(path);
    return seen -> {
      Map<String, Object> before = seen.object().tree();
      Map<String, Object> after = edit.delete(before);
      return after == before ? seen.object() : KubeObject.owning(after);
    };
  }

  /**
   * @param value the new value, from the objects and the path at which it is set
   */
  private static Function<Counterparts, KubeObject> setting(
      String path, BiFunction<Counterparts, JsonPath, Object> value) {
    var read = JsonPath.compile(path);
    var edit = JsonEdit.compile(path);
    return seen -> KubeObject.owning(edit.set(seen.object().tree(), value.apply(seen, read)));
  }

  /** What is there as text, with what fits a pattern replaced; without one, the replacement. */
  private static BiFunction<Counterparts, JsonPath, Object> regex(@Nullable Object rule) {
    String replacement = Trees.text(rule, "replacement");
    String pattern = Trees.text(rule, "pattern");
    if (pattern.isEmpty()) {
      return (_, _) -> replacement;
    }
    var regex = GoRegex.compile(pattern);
    return (seen, path) ->
        regex.replaceAll(JsonPath.text(path.read(seen.object().tree())), replacement);
  }

  private static BiFunction<Counterparts, JsonPath, Object> template(@Nullable Object rule) {
    var template =
        GoTemplate.compile(
            Trees.text(rule, "template"), Set.of("Value", "LocalObject", "RemoteObject"));
    return (seen, path) ->
        template.render(
            Map.of(
                "Value", new GjsonValue(path.read(seen.object().tree())),
                "LocalObject", seen.local().map(KubeObject::tree).orElse(Map.of()),
                "RemoteObject", seen.remote().map(KubeObject::tree).orElse(Map.of())));
  }

  private static BiFunction<Counterparts, JsonPath, Object> cel(@Nullable Object rule) {
    var expression =
        CelExpression.compile(Trees.text(rule, "expression"), Set.of("self", "other", "value"));
    return (seen, path) -> {
      @Nullable Object value =
          path.read(seen.object().tree()) instanceof JsonPath.Result.Found(var found, _)
              ? found
              : null;
      var variables = new HashMap<String, CelValues>();
      variables.put("self", CelValues.of(seen.object().tree()));
      variables.put("other", CelValues.of(seen.other().map(KubeObject::tree).orElse(null)));
      variables.put("value", CelValues.ofDoubles(value));
      return expression.evaluate(variables);
    };
  }

  private static InvalidPublishedResource invalid(Reason reason, String message) {
    return new InvalidPublishedResource(reason, message);
  }
}
