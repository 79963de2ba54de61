package dev.mooring.syncagent.published.mutation;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.TemplateFailure;
import dev.mooring.model.object.KubeObject;
import java.util.List;

/**
 * Steps that change an object in their order, each seeing what those before it made. Compiled once,
 * when the PublishedResource is read. Immutable, thread-safe.
 */
public final class Mutation {
  public static final Mutation NONE = new Mutation(List.of());

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
}
