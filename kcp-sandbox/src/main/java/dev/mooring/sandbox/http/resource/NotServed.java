package dev.mooring.sandbox.http.resource;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.api.status.ApiFailure;

/** The two ways of saying that a resource is not there. */
public final class NotServed {
  private NotServed() {}

  /** A Status inside a built-in group and version; text where only custom resources could be. */
  public static ApiFailure failure(RequestScope view, ResourceType type) {
    boolean builtIn =
        type.group().isEmpty()
            || view.all().stream()
                .anyMatch(definition ->
                    definition.origin() == Origin.BUILT_IN
                        && definition.type().group().equals(type.group())
                        && definition.type().version().equals(type.version()));
    return builtIn ? ApiFailure.notServed() : ApiFailure.pageNotFound();
  }
}
