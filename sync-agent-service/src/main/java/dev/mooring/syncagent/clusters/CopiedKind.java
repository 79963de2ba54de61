package dev.mooring.syncagent.clusters;

import dev.mooring.model.object.KubeObject;
import java.util.Objects;

/**
 * A type of the service cluster as PublishedResources name it, whatever its versions.
 *
 * @param group empty for the core group
 */
public record CopiedKind(String group, String kind) {
  public CopiedKind {
    Objects.requireNonNull(group, "group");
    Objects.requireNonNull(kind, "kind");
  }

  /** That of a PublishedResource. */
  public static CopiedKind of(KubeObject published) {
    return new CopiedKind(
        published.text("spec", "resource", "apiGroup"), published.text("spec", "resource", "kind"));
  }
}
