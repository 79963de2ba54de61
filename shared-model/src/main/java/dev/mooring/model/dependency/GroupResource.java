package dev.mooring.model.dependency;

import dev.mooring.model.identity.ResourceType;
import java.util.Comparator;

/**
 * A resource in all its versions: one stored object is served in every version of its type, so
 * protection of one version is protection of all.
 *
 * @param group empty for the core group
 */
public record GroupResource(String group, String resource) implements Comparable<GroupResource> {
  private static final Comparator<GroupResource> ORDER =
      Comparator.comparing(GroupResource::group).thenComparing(GroupResource::resource);

  public GroupResource {
    if (resource.isEmpty()) {
      throw new IllegalArgumentException("a resource needs a name");
    }
  }

  public static GroupResource of(ResourceType type) {
    return new GroupResource(type.group(), type.resource());
  }

  /** From {@code vpcs.network.example.com}, or {@code secrets} for the core group. */
  public static GroupResource parse(String qualified) {
    int dot = qualified.indexOf('.');
    return dot < 0
        ? new GroupResource("", qualified)
        : new GroupResource(qualified.substring(dot + 1), qualified.substring(0, dot));
  }

  @Override
  public int compareTo(GroupResource other) {
    return ORDER.compare(this, other);
  }

  /** {@code vpcs.network.example.com}, or {@code secrets} for the core group. */
  @Override
  public String toString() {
    return group.isEmpty() ? resource : resource + "." + group;
  }
}
