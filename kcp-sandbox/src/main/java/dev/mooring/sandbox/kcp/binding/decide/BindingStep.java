package dev.mooring.sandbox.kcp.binding.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.claim.decide.ClaimedResource;
import java.util.Set;

/** The next write for an APIBinding, after which all facts are read again. */
public sealed interface BindingStep {

  /** Write the binding's metadata. */
  record Update(KubeObject binding) implements BindingStep {}

  /**
   * Write the binding's status, after the labels of objects of these resources have been brought in
   * line with what the consumer accepts.
   */
  record UpdateStatus(KubeObject binding, Set<ClaimedResource> relabel) implements BindingStep {
    public UpdateStatus {
      relabel = Set.copyOf(relabel);
    }
  }

  /** Take resources for this binding in the consumer's LogicalCluster. */
  record Lock(KubeObject logicalCluster) implements BindingStep {}

  /** Nothing to do until something changes. */
  record Await() implements BindingStep {}
}
