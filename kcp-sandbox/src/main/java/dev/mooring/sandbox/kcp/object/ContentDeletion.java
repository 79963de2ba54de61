package dev.mooring.sandbox.kcp.object;

import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.storage.StoredObject;

/**
 * Deletes what users made, as kcp's controllers do when a workspace or a binding goes: by requests
 * of their own, so that admission has a say.
 */
@FunctionalInterface
public interface ContentDeletion {
  /**
   * Asks the object to go; does nothing if it is gone.
   *
   * @throws ApiFailure if it is refused
   */
  void delete(ResourceDefinition definition, StoredObject object);
}
