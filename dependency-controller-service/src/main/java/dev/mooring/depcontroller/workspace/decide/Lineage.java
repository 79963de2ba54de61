package dev.mooring.depcontroller.workspace.decide;

import dev.mooring.model.identity.WorkspacePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Why nobody can tell what a path leads to whose parent does not show its workspaces: by what that
 * says, and what the workspaces above it do.
 *
 * @param above from the first workspace of the path downwards, the parent left out, as far as they
 *     do not settle it; empty if the parent is the first
 */
public record Lineage(WorkspacePath path, List<Rung> above, Says parent) {
  /** Each is watched for as long as the path is in doubt. */
  static final int ABOVE_MAX = 8;

  /** What a workspace says of the next one on the way. */
  public enum Says {
    /** That it is there. */
    LEADS_ON,
    /** That it is not there. */
    ENDS,
    /** Nothing, as kcp says that there is no workspace of this path itself. */
    GONE,
    /** Nothing, as kcp serves no workspaces in this one. */
    CHILDLESS,
    /** Nothing to this user. A front proxy says the same of what does not exist. */
    REFUSES,
    /** Nothing, for a reason that has nothing to do with the path. */
    SILENT,
    /** Nothing yet. */
    PENDING
  }

  /** One workspace on the way. */
  public record Rung(WorkspacePath at, Says says) {
    public Rung {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(says, "says");
    }
  }

  public Lineage {
    Objects.requireNonNull(path, "path");
    above = List.copyOf(above);
    Objects.requireNonNull(parent, "parent");
  }

  /**
   * @param path that has a parent
   * @param says of a workspace on the way and the next one
   */
  public static Lineage of(
      WorkspacePath path, BiFunction<WorkspacePath, WorkspacePath, Says> says) {
    var way = new ArrayList<WorkspacePath>();
    for (var at = Optional.of(path); at.isPresent(); at = at.get().parent()) {
      way.addFirst(at.get());
    }
    int parent = way.size() - 2;
    var above = new ArrayList<Rung>();
    boolean open = true;
    for (int i = 0; i < Math.min(parent, ABOVE_MAX) && open; i++) {
      Says said = says.apply(way.get(i), way.get(i + 1));
      above.add(new Rung(way.get(i), said));
      open =
          switch (said) {
            case LEADS_ON, REFUSES, CHILDLESS, SILENT -> true;
            case ENDS, GONE, PENDING -> false;
          };
    }
    return new Lineage(path, above, says.apply(way.get(parent), path));
  }

  /** Whether a workspace above may still tell more; it does not take long. */
  public boolean pending() {
    return parent != Says.SILENT && !above.isEmpty() && above.getLast().says() == Says.PENDING;
  }

  /**
   * What is the matter, and what to do about it.
   *
   * @param failure of whoever asked the parent
   */
  public String why(String failure) {
    if (!above.isEmpty()) {
      Rung last = above.getLast();
      switch (last.says()) {
        case ENDS -> {
          return missing(next(last.at()));
        }
        case GONE -> {
          return missing(last.at());
        }
        case LEADS_ON, REFUSES, CHILDLESS, SILENT, PENDING -> {}
      }
    }
    return switch (parent) {
      case GONE -> isThere() ? unread(failure) : missing(parentPath());
      case CHILDLESS ->
          unread(failure) + "; if kcp serves none there, correct apiExportRef.path" + beginning();
      case REFUSES -> refused(failure);
      case LEADS_ON, ENDS, SILENT, PENDING -> unread(failure);
    };
  }

  private String missing(WorkspacePath missing) {
    return "there is no workspace "
        + missing
        + (missing.equals(parentPath()) ? " (the parent of " : " (on the way to ")
        + path
        + "): create it, or correct apiExportRef.path"
        + beginning();
  }

  private String refused(String failure) {
    String right =
        unread(failure)
            + "; in workspace "
            + parentPath()
            + " let the controller's user get, list and watch workspaces.tenancy.kcp.io and bind"
            + " it to ClusterRole system:kcp:workspace:access";
    return isThere()
        ? right
        : right + "; or, if there is no such workspace, correct apiExportRef.path" + beginning();
  }

  private String unread(String failure) {
    return "workspace "
        + path
        + " cannot be looked up: the workspaces in "
        + parentPath()
        + " cannot be listed: "
        + failure;
  }

  /** Of a path that may lack its beginning. */
  private String beginning() {
    return LoneSegment.begins(path) ? "; " + LoneSegment.remedy(path) : "";
  }

  /** Whether the parent is certain to exist. */
  private boolean isThere() {
    return parentPath().equals(WorkspacePath.ROOT)
        || parentPath()
            .parent()
            .filter(at -> above.contains(new Rung(at, Says.LEADS_ON)))
            .isPresent();
  }

  private WorkspacePath parentPath() {
    return path.parent().orElseThrow();
  }

  /** The next one on the way. */
  private WorkspacePath next(WorkspacePath at) {
    int end = path.value().indexOf(':', at.value().length() + 1);
    return end < 0 ? path : new WorkspacePath(path.value().substring(0, end));
  }
}
