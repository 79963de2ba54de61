package dev.mooring.sandbox.api.registry;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.status.ApiFailure;

/**
 * Answers a POST without storing anything, such as an access review or a token request. Throws
 * {@link ApiFailure}.
 */
@FunctionalInterface
public interface ComputedResource {
  /**
   * @param name of the parent object for a subresource; empty otherwise
   */
  KubeObject create(String name, KubeObject body, WriteContext context);
}
