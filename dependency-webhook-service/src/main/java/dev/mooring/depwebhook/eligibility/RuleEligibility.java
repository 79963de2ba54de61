package dev.mooring.depwebhook.eligibility;

import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.depwebhook.rules.decide.MatchedRule;

/**
 * Whether a rule may protect the target of one review. Checked only once something refers to the
 * target, or could not be read; a rule whose eligibility is unknown is eligible. Thread-safe.
 */
@FunctionalInterface
public interface RuleEligibility {
  /** Every rule may. */
  RuleEligibility EVERY = _ -> true;

  /** Waits until it is known. */
  boolean isEligible(MatchedRule protection);

  /**
   * Starts to check it, and, if the rule denies, whether the workspace is terminating: the caller's
   * own reads run in parallel.
   */
  default void prefetch(MatchedRule protection) {}

  /** The state of the target's workspace; waits until it is known. */
  default WorkspaceState workspace() {
    return WorkspaceState.ACTIVE;
  }

  /** Begins to read whether the server has the target's workspace; {@link #existence} waits. */
  default void prefetchWorkspace() {}

  /**
   * {@link #workspace} as read for this review, never from the cache: without it an empty list
   * proves nothing.
   */
  default WorkspaceState confirmedWorkspace() {
    return workspace();
  }
}
