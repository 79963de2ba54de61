package dev.mooring.syncagent.related.sync.decide;

/** What to do now for one related object: one write, or nothing, and how far it is then. */
public sealed interface RelatedPlan permits RelatedPlan.Act, Progress {
  /** Exactly one write, then observe again. */
  record Act(RelatedAction action) implements RelatedPlan {}
}
