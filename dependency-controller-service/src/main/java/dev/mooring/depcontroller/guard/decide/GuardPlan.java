package dev.mooring.depcontroller.guard.decide;

import dev.mooring.model.object.KubeObject;

/** The one write, if any, that brings a provider's webhook configuration closer to the rules. */
public sealed interface GuardPlan {
  /** Nothing to write. */
  record InSync() implements GuardPlan {}

  /** There is none, and there has to be. */
  record Create(KubeObject configuration) implements GuardPlan {}

  /** Another one is wanted; carries the version that was seen. */
  record Replace(KubeObject configuration) implements GuardPlan {}

  /** Nothing is protected here any more; only the very object that was seen goes. */
  record Remove(String uid, String resourceVersion) implements GuardPlan {}
}
