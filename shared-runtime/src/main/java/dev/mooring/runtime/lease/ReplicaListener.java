package dev.mooring.runtime.lease;

import dev.mooring.model.identity.LogicalCluster;
import java.util.function.Predicate;

/** What a process does with its share of the work; called by one thread, and must not block. */
public interface ReplicaListener {
  /** After each look, changed or not: from now on no work is begun outside the share. */
  void divided(Share share);

  /** Whether work that was begun before is under way outside of what is this process's. */
  boolean isWorkingOutside(Predicate<LogicalCluster> owned);

  /** What the others are to know of this one; some kilobytes at most. */
  String note();
}
