package dev.mooring.sandbox.security.rbac;

import java.util.Objects;

/** What a role's rules are held against: a verb on a resource, or a verb on a URL path. */
public sealed interface AccessRequest {
  String verb();

  /**
   * @param group empty for the core group
   * @param subresource empty where there is none
   * @param namespace empty for cluster-scoped resources and requests across namespaces
   * @param name empty for lists, watches, creates and deletions of a collection
   */
  record Resource(
      String verb, String group, String resource, String subresource, String namespace, String name)
      implements AccessRequest {
    public Resource {
      Objects.requireNonNull(verb, "verb");
      Objects.requireNonNull(group, "group");
      Objects.requireNonNull(resource, "resource");
      Objects.requireNonNull(subresource, "subresource");
      Objects.requireNonNull(namespace, "namespace");
      Objects.requireNonNull(name, "name");
    }

    /** {@code deployments/scale}, as rules name it. */
    String combined() {
      return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
  }

  /** A path that is no resource, such as {@code /version}. */
  record Url(String verb, String path) implements AccessRequest {
    public Url {
      Objects.requireNonNull(verb, "verb");
      Objects.requireNonNull(path, "path");
    }
  }
}
