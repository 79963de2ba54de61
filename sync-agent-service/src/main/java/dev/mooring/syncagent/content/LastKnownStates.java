package dev.mooring.syncagent.content;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.content.decide.LastSynced;
import dev.mooring.syncagent.content.decide.StateKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes copies together with the content of their sources that is last known, on which the next
 * three-way patch is based. The content of a copy is never behind its state: it is written first,
 * or in the same request. A copy that is new to the agent never lacks a state: then that is written
 * first, or what only the copy has would be overwritten once. Every failure is a {@link
 * dev.mooring.runtime.client.KubeFailure}, of any part; observing again finds out how far the write
 * came. Thread-safe for different keys.
 */
public interface LastKnownStates extends KnownState {
  /**
   * Makes the copy; fails if its name is taken.
   *
   * @throws StateTooLarge before anything is written
   */
  KubeObject create(StateKey key, KubeObject desired, Map<String, Object> state);

  /**
   * Changes the copy, on condition that it is still the given one, as it was seen.
   *
   * @param patch a merge patch; may be empty: then only the state is behind
   * @return the copy after the patch; the given one if that was empty and the state is kept apart
   * @throws StateTooLarge before anything is written
   */
  KubeObject patch(
      StateKey key, KubeObject copy, Map<String, Object> patch, Map<String, Object> state);

  /**
   * Marks what has the copy's name as the copy, on condition that it is still as it was seen.
   *
   * @param patch a merge patch that leaves the content as it is
   * @return the copy after the patch
   * @throws StateTooLarge before anything is written
   */
  default KubeObject adopt(
      StateKey key, KubeObject stranger, Map<String, Object> patch, Map<String, Object> state) {
    return patch(key, stranger, patch, state);
  }

  /** As {@link #find}, and why nothing is known where that is so. */
  default LastSynced past(StateKey key, KubeObject copy) {
    return find(key, copy)
        .<LastSynced>map(LastSynced.Known::new)
        .orElseGet(() -> keeps(key, copy) ? new LastSynced.Damaged() : new LastSynced.NotKept());
  }

  /** Whether this agent keeps anything of the copy, readable or not. */
  boolean keeps(StateKey key, KubeObject copy);

  /** As {@link #clearAway}, but only what carries this agent's name. */
  default void clearAwayOwn(StateKey key) {}

  /** Every Secret in which a state may be kept, of any agent; in no particular order. */
  default List<KubeObject> kept() {
    return List.of();
  }

  /** Whether everything that is kept can be read. */
  default boolean isSynced() {
    return true;
  }

  /** Why not; empty if it can, or if that is not known yet. */
  default Optional<KubeFailure> lastFailure() {
    return Optional.empty();
  }
}
