package dev.mooring.syncagent.related.decide;

/** What to do now for one related object. */
public sealed interface RelatedPlan {
  /** Nothing: everything is as it should be, or not yet due. */
  record InSync() implements RelatedPlan {}

  /** Something else has to happen first; a watch will tell. */
  record Await() implements RelatedPlan {}

  /** It cannot be done; a person has to change something. */
  record Refuse(String reason, String message) implements RelatedPlan {}

  /** Exactly one write, then look again. */
  record Act(RelatedAction action) implements RelatedPlan {}
}
