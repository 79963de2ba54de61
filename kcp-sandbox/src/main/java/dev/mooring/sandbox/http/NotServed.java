package dev.mooring.sandbox.http;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.ApiFailure;
import dev.mooring.sandbox.api.ApiView;
import dev.mooring.sandbox.api.ResourceDefinition.Origin;

/** The two ways of saying that a resource is not there. */
final class NotServed {
  private NotServed() {}

  /** A Status inside a built-in group and version; text where only custom resources could be. */
  static ApiFailure failure(ApiView view, ResourceType type) {
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
