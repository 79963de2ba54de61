package dev.mooring.syncagent.content;

import dev.mooring.model.object.KubeObject;
import java.util.Map;

/**
 * Writes copies together with the content of their sources that is last known, on which the next
 * three-way patch is based. Content is never behind its state: it is written first, or in the same
 * request. Every failure is a {@link dev.mooring.runtime.client.KubeFailure}, whatever part it hit;
 * observing again finds out how far the write came. Thread-safe for different keys.
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

  @Override
  boolean isKeptApart(StateKey key);

  @Override
  void drop(StateKey key);

  /** Whether everything that is kept can be read. */
  boolean isSynced();
}
