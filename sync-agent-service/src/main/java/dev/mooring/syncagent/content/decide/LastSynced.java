package dev.mooring.syncagent.content.decide;

import java.util.Map;

/** What is known of a source's content as it was last written to its copy. */
public sealed interface LastSynced {
  /** May have {@link ValueDigests}. */
  record Known(Map<String, Object> content) implements LastSynced {}

  /** Something is kept, and it cannot be read. */
  record Damaged() implements LastSynced {}

  /**
   * Nothing is kept: another program wrote the copy, or the state was removed. What differs in the
   * copy may be meant to.
   */
  record NotKept() implements LastSynced {}
}
