package dev.mooring.sandbox.api.registry;

import java.util.Set;

/** What is served below an object. */
public sealed interface Subresource {
  /** The same object, read and written with another strategy (status, finalize, approval). */
  record Part(ResourceStrategy strategy, Set<Verb> verbs) implements Subresource {
    public Part {
      verbs = Set.copyOf(verbs);
    }

    /** To be read, replaced and patched. */
    public Part(ResourceStrategy strategy) {
      this(strategy, Set.of(Verb.GET, Verb.UPDATE, Verb.PATCH));
    }
  }

  /**
   * An {@code autoscaling/v1} Scale made from these paths of the object.
   *
   * @param specReplicasPath as a CRD says it, such as {@code .spec.replicas}
   * @param selectorPath empty if none
   */
  record Scale(String specReplicasPath, String statusReplicasPath, String selectorPath)
      implements Subresource {}

  /**
   * A POST that computes something.
   *
   * @param computed what is posted and answered, which is not served for itself
   */
  record Action(ResourceDefinition computed) implements Subresource {}
}
