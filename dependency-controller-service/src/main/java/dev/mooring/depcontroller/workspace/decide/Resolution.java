package dev.mooring.depcontroller.workspace.decide;

import dev.mooring.model.identity.LogicalCluster;

/** The logical cluster of a workspace path, as far as it is known. */
public sealed interface Resolution {
  /** The path leads to this logical cluster. */
  record Known(LogicalCluster cluster) implements Resolution {}

  /**
   * The parent was listed, and has no such workspace, or none with a logical cluster yet.
   *
   * @param message what is missing, and where
   */
  record Absent(String message) implements Resolution {}

  /**
   * The parent cannot be read.
   *
   * @param message what could not be read, and what to do
   */
  record Unknown(String message) implements Resolution {}

  /** The parent is not listed yet. */
  record Pending() implements Resolution {}
}
