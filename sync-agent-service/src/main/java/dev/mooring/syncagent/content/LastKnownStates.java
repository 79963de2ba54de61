package dev.mooring.syncagent.content;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.content.decide.LastSynced;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.published.ApiType;
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
public interface LastKnownStates {
  /**
   * Content of the source as it was last written to the copy, with {@link
   * dev.mooring.syncagent.content.decide.ValueDigests}; empty if nothing is known, or what is there
   * cannot be read: then the state heals with the next write. Answers from memory what is known
   * there.
   *
   * @throws dev.mooring.runtime.client.KubeFailure if a server has to be asked and does not answer
   */
  Optional<Map<String, Object>> find(StateKey key, KubeObject copy);

  /** Whether {@link #drop} would find something. */
  default boolean isKeptApart(StateKey key) {
    return false;
  }

  /** With the copy gone: what is kept apart from it goes, too. Nothing there is fine. */
  default void drop(StateKey key) {}

  /**
   * Whose state this Secret keeps.
   *
   * @param type of the source
   * @return empty if it is none of this store's, of another agent's making, or of another type
   */
  default Optional<ObjectKey> sourceOf(KubeObject secret, ApiType type) {
    return Optional.empty();
  }

  /**
   * As {@link #drop} for a source without finalizer: only as it was last seen, since the source may
   * be made again at any moment.
   *
   * @throws dev.mooring.runtime.client.KubeFailure of kind CONFLICT if it has changed meanwhile
   */
  default void clearAway(StateKey key) {}

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
