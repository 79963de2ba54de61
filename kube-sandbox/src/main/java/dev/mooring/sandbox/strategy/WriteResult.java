package dev.mooring.sandbox.strategy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.storage.StoredObject;

/**
 * What became of a write.
 *
 * @param object in the served version, as the client gets it
 */
public record WriteResult(Kind kind, KubeObject object) {
  /** What happened to the object. */
  public enum Kind {
    CREATED,
    /** Also where the write changed nothing. */
    UPDATED,
    /** Marked for deletion; finalizers hold it back. */
    DELETING,
    GONE
  }

  static WriteResult of(Kind kind, ResourceDefinition definition, StoredObject stored) {
    return new WriteResult(kind, definition.converter().toServed(stored.object()));
  }
}
