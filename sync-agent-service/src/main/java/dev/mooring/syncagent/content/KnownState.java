package dev.mooring.syncagent.content;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.published.ApiType;
import java.util.Map;
import java.util.Optional;

/** Somewhere a last-known state can be read. Thread-safe. */
@FunctionalInterface
public interface KnownState {
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
}
