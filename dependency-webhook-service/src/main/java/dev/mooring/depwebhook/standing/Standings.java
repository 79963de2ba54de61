package dev.mooring.depwebhook.standing;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;

/** Tells which rules may speak for a consumer's objects. Thread-safe. */
@FunctionalInterface
public interface Standings {
  /** Every rule may, everywhere. */
  Standings EVERY = (_, _) -> Standing.EVERY;

  /**
   * For one judgement.
   *
   * @param targets the type of what is referred to
   */
  Standing of(LogicalCluster consumer, GroupResource targets);
}
