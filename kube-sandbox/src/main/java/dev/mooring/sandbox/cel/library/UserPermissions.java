package dev.mooring.sandbox.cel.library;

import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Optional;

/**
 * The value of {@code authorizer}: what a user may do. The question names no logical cluster, so
 * that kcp denies all but health paths, and all but everything to masters.
 */
public record UserPermissions(UserInfo user, Authorizer authorizer) {
  Decision check(String verb, AuthorizationAttributes.Target target) {
    return authorizer.authorize(new AuthorizationAttributes(user, Optional.empty(), verb, target));
  }

  /** The value of {@code authorizer.requestResource}. */
  public Object resource(
      String group, String resource, String subresource, String namespace, String name) {
    return new ResourceCheck(
        this,
        new AuthorizationAttributes.Resource(group, "*", resource, subresource, namespace, name));
  }

  record PathCheck(UserPermissions permissions, String path) {
    Decision check(String verb) {
      return permissions.check(verb, new AuthorizationAttributes.Url(path));
    }
  }

  record GroupCheck(UserPermissions permissions, String group) {}

  record ResourceCheck(UserPermissions permissions, AuthorizationAttributes.Resource resource) {
    Decision check(String verb) {
      return permissions.check(verb, resource);
    }

    ResourceCheck withSubresource(String subresource) {
      return with(subresource, resource.namespace(), resource.name());
    }

    ResourceCheck withNamespace(String namespace) {
      return with(resource.subresource(), namespace, resource.name());
    }

    ResourceCheck withName(String name) {
      return with(resource.subresource(), resource.namespace(), name);
    }

    private ResourceCheck with(String subresource, String namespace, String name) {
      return new ResourceCheck(
          permissions,
          new AuthorizationAttributes.Resource(
              resource.group(),
              resource.version(),
              resource.resource(),
              subresource,
              namespace,
              name));
    }
  }
}
