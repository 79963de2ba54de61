package dev.mooring.syncagent.published.mutation;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.InvalidExpression;
import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.cel.CelExpression;
import dev.mooring.languages.gjson.JsonEdit;
import dev.mooring.languages.gjson.JsonPath;
import dev.mooring.languages.regex.GoRegex;
import dev.mooring.languages.template.GoTemplate;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.InvalidPublishedResource;
import dev.mooring.syncagent.published.InvalidPublishedResource.Reason;
import dev.mooring.syncagent.published.Problems;
import java.util.List;
import java.util.Optional;
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
   */
  record Step(String title, MutationRule rule) {}

  Mutation(List<Step> steps) {
    this.steps = List.copyOf(steps);
  }

  /** The object after all steps; throws {@link MutationFailure} naming the step that failed. */
  public KubeObject apply(Counterparts seen) {
    Counterparts current = seen;
    for (Step step : steps) {
      try {
        current = current.with(step.rule().apply(current));
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
            case "delete" -> new MutationRule.Delete(JsonEdit.compileDeletion(path));
            case "regex" -> regex(rule, path);
            case "template" -> template(rule, path);
            default -> cel(rule, path);
          });
    } catch (InvalidExpression e) {
      throw invalid(Reason.INVALID_MUTATION, at + ": " + e.getMessage());
    } catch (InvalidTemplate e) {
      throw invalid(Reason.INVALID_TEMPLATE, at + ".template: " + e.getMessage());
    }
  }

  private static MutationRule regex(@Nullable Object rule, String path) {
    String pattern = Trees.text(rule, "pattern");
    return new MutationRule.Regex(
        JsonPath.compile(path),
        JsonEdit.compile(path),
        pattern.isEmpty() ? Optional.empty() : Optional.of(GoRegex.compile(pattern)),
        Trees.text(rule, "replacement"));
  }

  private static MutationRule template(@Nullable Object rule, String path) {
    return new MutationRule.Template(
        JsonPath.compile(path),
        JsonEdit.compile(path),
        GoTemplate.compile(Trees.text(rule, "template"), MutationRule.TEMPLATE_FIELDS));
  }

  private static MutationRule cel(@Nullable Object rule, String path) {
    return new MutationRule.Cel(
        JsonPath.compile(path),
        JsonEdit.compile(path),
        CelExpression.compile(Trees.text(rule, "expression"), MutationRule.CEL_VARIABLES));
  }

  private static InvalidPublishedResource invalid(Reason reason, String message) {
    return new InvalidPublishedResource(reason, message);
  }
}
