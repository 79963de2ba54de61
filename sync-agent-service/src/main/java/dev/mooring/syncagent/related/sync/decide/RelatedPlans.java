package dev.mooring.syncagent.related.sync.decide;

import java.util.ArrayList;
import java.util.List;

/**
 * What to do now for all objects of one entry and primary.
 *
 * @param actions in order of precedence, each for an object of its own: one is carried out, the
 *     next only where a server refuses that
 * @param otherwise what remains to be said where no action is left
 */
public record RelatedPlans(List<RelatedAction> actions, Progress otherwise) {
  public RelatedPlans {
    actions = List.copyOf(actions);
  }

  /** Gathers the plans of single objects, in order. */
  public static RelatedPlans of(List<RelatedPlan> plans) {
    Progress otherwise = new Progress.Settled();
    var actions = new ArrayList<RelatedAction>();
    for (RelatedPlan plan : plans) {
      switch (plan) {
        case RelatedPlan.Act(var action) -> actions.add(action);
        case Progress progress -> otherwise = otherwise.orWorse(progress);
      }
    }
    return new RelatedPlans(actions, otherwise);
  }
}
