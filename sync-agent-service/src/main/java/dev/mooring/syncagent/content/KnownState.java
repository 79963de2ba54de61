package dev.mooring.syncagent.content;

import dev.mooring.model.object.KubeObject;
import java.util.Map;
import java.util.Optional;

/** Somewhere a last-known state can be read. Answers from memory; thread-safe. */
@FunctionalInterface
public interface KnownState {
  /**
   * Content of the source as it was last written to the copy; empty if nothing is known, or what is
   * there cannot be read: then the state heals with the next write.
   */
  Optional<Map<String, Object>> find(StateKey key, KubeObject copy);

  /** Whether {@link #drop} would find something. */
  default boolean isKeptApart(StateKey key) {
    return false;
  }

  /** With the copy gone: what is kept apart from it goes, too. Nothing there is fine. */
  default void drop(StateKey key) {}
}
