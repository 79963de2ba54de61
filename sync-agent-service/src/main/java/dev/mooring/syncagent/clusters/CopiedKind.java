package dev.mooring.syncagent.clusters;

import dev.mooring.model.object.KubeObject;

/**
 * A type of the service cluster as PublishedResources name it: all its versions.
 *
 * @param group empty for the core group
 */
public record CopiedKind(String group, String kind) {
  /** That of a PublishedResource. */
  public static CopiedKind of(KubeObject published) {
    return new CopiedKind(
        published.text("spec", "resource", "apiGroup"), published.text("spec", "resource", "kind"));
  }

  /** That of a CustomResourceDefinition. */
  public static CopiedKind definedBy(KubeObject crd) {
    return new CopiedKind(crd.text("spec", "group"), crd.text("spec", "names", "kind"));
  }
}
