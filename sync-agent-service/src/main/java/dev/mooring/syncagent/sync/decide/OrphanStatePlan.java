package dev.mooring.syncagent.sync.decide;

import java.util.Objects;

/** What becomes of what the agent keeps beside a source that its caches do not show. */
public sealed interface OrphanStatePlan {
  /** It stays, or there is nothing; a change of source or copy brings the next decision. */
  record Keep() implements OrphanStatePlan {}

  /** Nothing can be told from absence yet. */
  record Await() implements OrphanStatePlan {}

  /** It goes, as it was seen. */
  record ClearAway(Extent extent) implements OrphanStatePlan {
    public ClearAway {
      Objects.requireNonNull(extent, "extent");
    }
  }

  /** How much is nobody's any more. */
  enum Extent {
    /** States that carry this agent's name: without a copy nothing can be made of them. */
    OWN_STATES,
    /** Also what does not say whose it is, and related objects with their records. */
    EVERYTHING
  }
}
