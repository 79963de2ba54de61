package dev.mooring.syncagent.related.decide;

/**
 * Whether agents of other names need the same copy, by their records, and how far this agent's
 * handover to them is.
 */
public enum OtherAgents {
  NONE,
  /** They need the copy; no handover is announced. */
  NOT_ANNOUNCED,
  /** The handover is written; the watch has not shown it yet. */
  ANNOUNCING,
  /** The watch has shown the handover, and they need the copy still. */
  ANNOUNCED
}
