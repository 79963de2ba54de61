package dev.mooring.sandbox.api;

import dev.mooring.model.object.KubeObject;

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
