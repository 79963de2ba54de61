package dev.mooring.depwebhook.eligibility;

import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.depwebhook.rules.decide.Protection;

/**
 * Whether a rule may keep the one target that is being judged. Asked only once something refers to
 * the target, or could not be read; what cannot be told counts. Thread-safe.
 */
@FunctionalInterface
public interface RuleEligibility {
  /** Every rule may. */
  RuleEligibility EVERY = _ -> true;

  /** Waits until it is known. */
  boolean isEligible(Protection protection);

  /**
   * Begins to find out, and whether the workspace is going if this protection refuses: a caller who
   * has something to read itself has it read beside.
   */
  default void prefetch(Protection protection) {}

  /** Whether it is known by now that it counts. */
  default boolean isKnownEligible(Protection protection) {
    return isEligible(protection);
  }

  /** Of the target's workspace; waits until it is known. */
  default WorkspaceState workspace() {
    return WorkspaceState.ACTIVE;
  }

  /** Begins to read whether the server has the target's workspace; {@link #existence} waits. */
  default void prefetchWorkspace() {}

  /**
   * What {@link #workspace} says as it is read for this judgement, never from before: without it an
   * empty list says nothing.
   */
  default WorkspaceState confirmedWorkspace() {
    return workspace();
  }
}
