package dev.mooring.syncagent.related.sync.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What to do now for all objects of one entry and primary.
 *
 * @param actions in order of precedence, each for an object of its own: one is carried out, the
 *     next only where a server refuses that
 * @param otherwise what remains to be said where no action is left
 */
public record RelatedPlans(List<RelatedAction> actions, RelatedPlan otherwise) {
  public RelatedPlans {
    actions = List.copyOf(actions);
    Objects.requireNonNull(otherwise, "otherwise");
  }

  /** As if no server ever refused anything. */
  public RelatedPlan first() {
    return actions.isEmpty() ? otherwise : new RelatedPlan.Act(actions.getFirst());
  }

  /** Gathers the plans of single objects, in order. */
  public static RelatedPlans of(List<RelatedPlan> plans) {
    RelatedPlan otherwise = new RelatedPlan.InSync();
    var actions = new ArrayList<RelatedAction>();
    for (RelatedPlan plan : plans) {
      if (plan instanceof RelatedPlan.Act(var action)) {
        actions.add(action);
      } else if (rank(plan) > rank(otherwise)) {
        otherwise = plan;
      }
    }
    return new RelatedPlans(actions, otherwise);
  }

  /** A refusal matters more than a warning, and that more than waiting. */
  private static int rank(RelatedPlan plan) {
    return switch (plan) {
      case RelatedPlan.InSync _ -> 0;
      case RelatedPlan.Await _ -> 1;
      case RelatedPlan.Warn _ -> 2;
      case RelatedPlan.Refuse _ -> 3;
      case RelatedPlan.Act _ -> 4;
    };
  }
}
