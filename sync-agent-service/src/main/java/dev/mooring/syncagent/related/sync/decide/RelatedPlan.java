package dev.mooring.syncagent.related.sync.decide;

import java.util.Objects;

/** What to do now for one related object, or for all of an entry. */
public sealed interface RelatedPlan {
  /** Nothing: everything is as it should be, or not yet due. */
  record InSync() implements RelatedPlan {}

  /** Another change is due first; its watch event requeues the primary. */
  record Await() implements RelatedPlan {}

  /** All is in sync but for what the message says, which waiting does not change. */
  record Warn(String reason, String message) implements RelatedPlan {}

  /** It cannot be done; a person has to change something. */
  record Refuse(String reason, String message) implements RelatedPlan {}

  /** Exactly one write, then observe again. */
  record Act(RelatedAction action) implements RelatedPlan {
    public Act {
      Objects.requireNonNull(action, "action");
    }
  }
}
