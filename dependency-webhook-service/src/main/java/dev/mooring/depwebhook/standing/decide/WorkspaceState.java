package dev.mooring.depwebhook.standing.decide;

/** Whether a consumer's workspace is being deleted. */
public enum WorkspaceState {
  STANDING,
  TERMINATING,
  /** It could not be read, so it counts as standing. */
  UNKNOWN
}
