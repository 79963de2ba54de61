package dev.mooring.depwebhook.lookup.decide;

import java.util.List;

/** How a workspace serves a type, by its discovery. */
public sealed interface Served {
  /** The group or resource is missing in all versions: there are no objects. */
  record Nowhere() implements Served {}

  /** In the requested version, namespaced. */
  record InNamespaces() implements Served {}

  /** In the requested version, cluster-scoped. */
  record ClusterWide() implements Served {}

  /**
   * Objects may exist, but a rule's field path is of another version.
   *
   * @param versions never empty
   */
  record InOtherVersions(List<String> versions) implements Served {
    public InOtherVersions {
      versions = List.copyOf(versions);
    }
  }
}
