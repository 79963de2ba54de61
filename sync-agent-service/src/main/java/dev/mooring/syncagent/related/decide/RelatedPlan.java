package dev.mooring.syncagent.related.decide;

/** What to do now for one related object: exactly one write, or nothing, and how far it is then. */
public sealed interface RelatedPlan permits RelatedAction, Progress {}
