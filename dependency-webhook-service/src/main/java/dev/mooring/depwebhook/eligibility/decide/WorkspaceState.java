package dev.mooring.depwebhook.eligibility.decide;

/** What the LogicalCluster of a consumer's workspace says, or why it says nothing. */
public enum WorkspaceState {
  ACTIVE,
  TERMINATING,
  /** The user may not read it, so it counts as active; kcp answers so where other reads succeed. */
  FORBIDDEN,
  /** The server that was asked does not have the workspace. */
  ABSENT,
  /** It could not be read. */
  UNKNOWN;

  /** Whether the server has the workspace; else its empty answers say nothing. */
  public boolean exists() {
    return switch (this) {
      case ACTIVE, TERMINATING, FORBIDDEN -> true;
      case ABSENT, UNKNOWN -> false;
    };
  }
}
