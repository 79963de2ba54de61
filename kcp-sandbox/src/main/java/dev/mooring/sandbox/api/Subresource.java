package dev.mooring.sandbox.api;

/** What is served below an object. */
public sealed interface Subresource {
  /** The same object, written with another strategy (status, finalize, approval). */
  record Part(ResourceStrategy strategy) implements Subresource {}

  /**
   * An {@code autoscaling/v1} Scale made from these paths of the object.
   *
   * @param selectorPath empty if none
   */
  record Scale(String specReplicasPath, String statusReplicasPath, String selectorPath)
      implements Subresource {}

  /**
   * A POST that computes something.
   *
   * @param kind of the body and of the answer
   */
  record Action(String group, String version, String kind, ComputedResource handler)
      implements Subresource {}
}
