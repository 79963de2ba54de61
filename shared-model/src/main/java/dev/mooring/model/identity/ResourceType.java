package dev.mooring.model.identity;

import java.util.Comparator;

/**
 * A served resource: group, version and plural name, as they stand in a request's path.
 *
 * @param group empty for the core group
 * @param version such as {@code v1beta1}
 * @param resource plural, lower case, without a subresource
 */
public record ResourceType(String group, String version, String resource)
    implements Comparable<ResourceType> {
  private static final Comparator<ResourceType> ORDER =
      Comparator.comparing(ResourceType::group)
          .thenComparing(ResourceType::resource)
          .thenComparing(ResourceType::version);

  public ResourceType {
    if (version.isEmpty() || resource.isEmpty()) {
      throw new IllegalArgumentException(
          "a resource type needs a version and a resource: " + group + "/" + version);
    }
  }

  public static ResourceType core(String resource) {
    return new ResourceType("", "v1", resource);
  }

  /** As it stands in an object: {@code v1} or {@code apps/v1}. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** {@code api/v1} or {@code apis/<group>/<version>}: no slash at either end. */
  public String apiPath() {
    return group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
  }

  /**
   * {@code certificates.cert-manager.io}, or {@code secrets} in the core group: how messages name a
   * type.
   */
  public String qualified() {
    return group.isEmpty() ? resource : resource + "." + group;
  }

  @Override
  public int compareTo(ResourceType other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return resource + "." + version + (group.isEmpty() ? "" : "." + group);
  }
}
