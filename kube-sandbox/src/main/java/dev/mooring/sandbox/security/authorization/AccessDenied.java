package dev.mooring.sandbox.security.authorization;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;

/**
 * A denial as the client reads it (Kubernetes' apiserver/pkg/endpoints/handlers/responsewriters).
 */
public final class AccessDenied {
  private AccessDenied() {}

  public static ApiFailure failure(AuthorizationAttributes attributes, Decision decision) {
    String reason = decision.reason().isEmpty() ? "" : ": " + decision.reason();
    String who = "User \"%s\" cannot %s ".formatted(attributes.user().name(), attributes.verb());
    return switch (attributes.target()) {
      case AuthorizationAttributes.Url url ->
          ApiFailure.forbidden(who + "path \"" + url.path() + "\"" + reason);
      case AuthorizationAttributes.Resource resource -> {
        String subresource = resource.subresource().isEmpty() ? "" : "/" + resource.subresource();
        String where =
            resource.namespace().isEmpty()
                ? "at the cluster scope"
                : "in the namespace \"" + resource.namespace() + "\"";
        yield ApiFailure.forbidden(
            new ResourceType(resource.group(), "*", resource.resource()),
            resource.name(),
            "%sresource \"%s%s\" in API group \"%s\" %s%s"
                .formatted(who, resource.resource(), subresource, resource.group(), where, reason));
      }
    };
  }
}
