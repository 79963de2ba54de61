package dev.mooring.sandbox.storage;

/**
 * Where the objects of one resource are stored, for all versions and all logical clusters. The
 * identity distinguishes two APIs of the same group and resource name.
 *
 * @param group empty for the core group
 * @param identity empty for built-in resources and for local custom resources; the identity hash of
 *     an APIExport for the resources it offers; {@value #EVERY} in scopes for all of these
 */
public record ResourceKey(String group, String resource, String identity) {

  private static final String EVERY = "*";

  /** All resources; only lists and watches know it. No request names it: its names are empty. */
  public static final ResourceKey EVERYTHING = ofEveryIdentity("", "");

  public static ResourceKey of(String group, String resource) {
    return new ResourceKey(group, resource, "");
  }

  /** All resources of this group and name; only lists and watches know it. */
  public static ResourceKey ofEveryIdentity(String group, String resource) {
    return new ResourceKey(group, resource, EVERY);
  }

  public boolean isEveryIdentity() {
    return identity.equals(EVERY);
  }

  /** Whether objects of the other are among those of this. */
  public boolean covers(ResourceKey other) {
    return isEveryIdentity()
        ? equals(EVERYTHING) || group.equals(other.group) && resource.equals(other.resource)
        : equals(other);
  }

  /** {@code secrets}, {@code widgets.wire.example.io}: as messages name a resource. */
  public String qualified() {
    return group.isEmpty() ? resource : resource + "." + group;
  }

  @Override
  public String toString() {
    return identity.isEmpty() ? qualified() : qualified() + ":" + identity;
  }
}
