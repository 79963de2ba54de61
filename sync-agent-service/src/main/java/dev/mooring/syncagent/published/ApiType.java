package dev.mooring.syncagent.published;

import dev.mooring.model.identity.ResourceType;
import java.util.Objects;

/** A served type in the one version that is read and written. */
public record ApiType(ResourceType resource, String kind, Scope scope) {
  public ApiType {
    Objects.requireNonNull(resource, "resource");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(scope, "scope");
  }
}
