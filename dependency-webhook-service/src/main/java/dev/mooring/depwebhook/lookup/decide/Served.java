package dev.mooring.depwebhook.lookup.decide;

import java.util.List;

/** How a workspace's discovery answers for a resource. */
public sealed interface Served {
  /** The group, or the resource in every version of it, is not there: no objects can be. */
  record Nowhere() implements Served {}

  /** In the version that was asked for, within namespaces. */
  record InNamespaces() implements Served {}

  /** In the version that was asked for, outside namespaces. */
  record ClusterWide() implements Served {}

  /**
   * Objects may be there, but a rule's field path was written for another version.
   *
   * @param versions never empty
   */
  record InOtherVersions(List<String> versions) implements Served {
    public InOtherVersions {
      versions = List.copyOf(versions);
    }
  }
}
