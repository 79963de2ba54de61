package dev.mooring.model.dependency;

import dev.mooring.model.identity.WorkspacePath;

/** Compares workspace paths without a request to kcp. */
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

  /**
   * Whether a path, as a rule names it, may lead to the workspace whose own path kcp tells. Its
   * first segment is the name of a logical cluster, and only kcp knows which; what follows are the
   * names of workspaces below, with which the workspace's own path then ends. The logical cluster
   * of a root is called as the root is.
   *
   * @param own canonical: from its root, by names
   */
  public static boolean mayLeadTo(WorkspacePath path, WorkspacePath own) {
    String first = firstSegment(path);
    if (first.equals(firstSegment(own))) {
      return path.equals(own);
    }
    String below = path.value().substring(first.length());
    return own.value().endsWith(below)
        && own.value().substring(0, own.value().length() - below.length()).indexOf(':') >= 0;
  }

  private static String firstSegment(WorkspacePath path) {
    int colon = path.value().indexOf(':');
    return colon < 0 ? path.value() : path.value().substring(0, colon);
  }
}
