package dev.mooring.model.dependency;

import dev.mooring.model.identity.WorkspacePath;

/** What can be said of two paths without asking kcp. */
public final class WorkspacePaths {
  private WorkspacePaths() {}

  /**
   * Whether the two cannot be one workspace. Paths below the same root are canonical and differ as
   * texts differ; a path may also start with the name of a logical cluster, and then only kcp knows
   * what it means.
   */
  public static boolean certainlyDiffer(WorkspacePath one, WorkspacePath other) {
    return !one.equals(other) && firstSegment(one).equals(firstSegment(other));
  }

  private static String firstSegment(WorkspacePath path) {
    int colon = path.value().indexOf(':');
    return colon < 0 ? path.value() : path.value().substring(0, colon);
  }
}
