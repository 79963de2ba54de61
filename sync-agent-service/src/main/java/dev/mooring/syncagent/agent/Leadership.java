package dev.mooring.syncagent.agent;

import java.util.Objects;

/** Whether several replicas of one agent may run. */
public sealed interface Leadership {
  /** There is one replica. */
  record Alone() implements Leadership {}

  /**
   * The holder of the Lease {@code syncagent.<agent>} acts, the same Lease as the Go agent's, so
   * that the two exclude each other.
   *
   * @param identity of this replica, such as its pod's name
   */
  record ByLease(String namespace, String identity) implements Leadership {
    public ByLease {
      Objects.requireNonNull(namespace, "namespace");
      Objects.requireNonNull(identity, "identity");
    }
  }
}
