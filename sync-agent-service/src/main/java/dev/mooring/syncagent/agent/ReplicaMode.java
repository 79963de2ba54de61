package dev.mooring.syncagent.agent;

/** What the replicas of an agent do that do not hold its Lease. */
public enum ReplicaMode {
  /** They wait until they hold it. */
  STANDBY,

  /** All sync objects, each those of other workspaces; the holder publishes. */
  SHARING
}
