package dev.mooring.sandbox.api.request;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;

/**
 * What a request for objects is about, taken from method and path alone.
 *
 * @param verb a subresource's POST is a create, as RBAC has it
 * @param namespace empty if the path has none
 * @param name empty if the path has none
 * @param subresource empty if the path has none
 */
public record RequestInfo(
    Verb verb, ResourceType type, String namespace, String name, String subresource) {
  /**
   * What has to be allowed.
   *
   * @param object its name; empty for all
   */
  public AuthorizationAttributes.Resource target(String object) {
    return new AuthorizationAttributes.Resource(
        type.group(), type.version(), type.resource(), subresource, namespace, object);
  }
}
