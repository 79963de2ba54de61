package dev.mooring.runtime.lease;

import dev.mooring.model.object.KubeObject;

/** What one look at a Lease leads to. */
sealed interface LeasePlan {
  /** There is none: create it. */
  record Found(KubeObject lease) implements LeasePlan {}

  /** It is ours, or free: write it, on condition that it is still the version that was read. */
  record Claim(KubeObject lease) implements LeasePlan {}

  /** Another one holds it. */
  record Follow(String holder) implements LeasePlan {}
}
