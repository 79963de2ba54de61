package dev.mooring.depcontroller.workspace.decide;

import dev.mooring.model.identity.WorkspacePath;

/**
 * A path that does not begin with {@code root}. kcp takes its first segment for the name of a
 * logical cluster; its author may have left out the beginning.
 */
public final class SingleSegmentPath {
  private SingleSegmentPath() {}

  /** Whether the path has one segment, and that is not a root. */
  public static boolean is(WorkspacePath path) {
    return path.parent().isEmpty() && begins(path);
  }

  /** What to do if nothing is found. */
  public static String remedy(WorkspacePath path) {
    return ("%s is taken for the name of a logical cluster: if it is a workspace, write"
            + " apiExportRef.path from root, as in root:…:%s")
        .formatted(first(path), path);
  }

  /** Whether the path can begin with a logical cluster: kcp makes such names of 16 characters. */
  public static boolean mayBeginWithCluster(WorkspacePath path) {
    return first(path).matches("[a-z0-9]{16}");
  }

  /** Whether the path begins with something other than root. */
  public static boolean begins(WorkspacePath path) {
    return !first(path).equals(WorkspacePath.ROOT.value());
  }

  private static String first(WorkspacePath path) {
    int colon = path.value().indexOf(':');
    return colon < 0 ? path.value() : path.value().substring(0, colon);
  }
}
