package dev.mooring.depcontroller.workspace.decide;

import dev.mooring.model.identity.WorkspacePath;

/**
 * The first segment of a path that does not begin with root. kcp takes it for the name of a logical
 * cluster; its author may have written the end of a path for the whole.
 */
public final class SingleSegmentPath {
  private SingleSegmentPath() {}

  /** Whether the path is nothing else. */
  public static boolean is(WorkspacePath path) {
    return path.parent().isEmpty() && begins(path);
  }

  /** What to do if nothing is found. */
  public static String remedy(WorkspacePath path) {
    return first(path)
        + " is taken for the name of a logical cluster: if it is a workspace, write"
        + " apiExportRef.path from root, as in root:…:"
        + path;
  }

  /** Whether the path begins with one. */
  public static boolean begins(WorkspacePath path) {
    return !first(path).equals(WorkspacePath.ROOT.value());
  }

  private static String first(WorkspacePath path) {
    int colon = path.value().indexOf(':');
    return colon < 0 ? path.value() : path.value().substring(0, colon);
  }
}
