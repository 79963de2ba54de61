package dev.mooring.syncagent.sync.decide;

/** What happens to states and records of a source that the caches do not show. */
public sealed interface OrphanStatePlan {
  /** It stays, or there is nothing; a change of source or copy brings the next decision. */
  record Keep() implements OrphanStatePlan {}

  /** Caches are not filled: absence says nothing yet. */
  record Await() implements OrphanStatePlan {}

  /** It goes, as it was seen. */
  record ClearAway(Extent extent) implements OrphanStatePlan {}

  /** The part that belongs to no source any more. */
  enum Extent {
    /** States that carry this agent's name: without a copy nothing can be made of them. */
    OWN_STATES,
    /** Also what does not say whose it is, and related objects with their records. */
    EVERYTHING
  }
}
