package dev.mooring.depcontroller.workspace.decide;

import dev.mooring.model.identity.WorkspacePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Why a path cannot be resolved: the answer of its parent, and those of the workspaces above.
 *
 * @param above from the first workspace of the path downwards, without the parent, up to the first
 *     answer that decides; empty if the parent is the first
 */
public record PathDiagnosis(WorkspacePath path, List<Ancestor> above, ParentAnswer parent) {
  /** Each has a watch for as long as the path cannot be resolved. */
  static final int ABOVE_MAX = 8;

  /** What listing a workspace shows of the next workspace of the path. */
  public enum ParentAnswer {
    EXISTS,
    MISSING,
    /** kcp answers that the listed workspace itself does not exist. */
    PARENT_MISSING,
    /** kcp serves no workspaces there. */
    NOT_SERVED_HERE,
    /** The user may not list. A front proxy answers the same where a workspace does not exist. */
    DENIED,
    /** The list failed for a reason that does not depend on the path. */
    FAILED,
    /** Not listed yet. */
    PENDING
  }

  /** A workspace above the parent, and its answer. */
  public record Ancestor(WorkspacePath at, ParentAnswer answer) {}

  public PathDiagnosis {
    above = List.copyOf(above);
  }

  /**
   * @param path that has a parent
   * @param answers by a workspace and the next one of the path
   */
  public static PathDiagnosis of(
      WorkspacePath path, BiFunction<WorkspacePath, WorkspacePath, ParentAnswer> answers) {
    var way = new ArrayList<WorkspacePath>();
    for (var at = Optional.of(path); at.isPresent(); at = at.get().parent()) {
      way.addFirst(at.get());
    }
    int parent = way.size() - 2;
    var above = new ArrayList<Ancestor>();
    boolean open = true;
    for (int i = 0; i < Math.min(parent, ABOVE_MAX) && open; i++) {
      ParentAnswer answer = answers.apply(way.get(i), way.get(i + 1));
      above.add(new Ancestor(way.get(i), answer));
      open =
          switch (answer) {
            case EXISTS, DENIED, NOT_SERVED_HERE, FAILED -> true;
            case MISSING, PARENT_MISSING, PENDING -> false;
          };
    }
    return new PathDiagnosis(path, above, answers.apply(way.get(parent), path));
  }

  /** Whether the list of a workspace above is still to come. */
  public boolean pending() {
    return parent != ParentAnswer.FAILED
        && !above.isEmpty()
        && above.getLast().answer() == ParentAnswer.PENDING;
  }

  /**
   * The cause, and what to do.
   *
   * @param failure of listing the parent
   */
  public String why(String failure) {
    if (!above.isEmpty()) {
      Ancestor last = above.getLast();
      switch (last.answer()) {
        case MISSING -> {
          return missing(next(last.at()));
        }
        case PARENT_MISSING -> {
          return missing(last.at());
        }
        case EXISTS, DENIED, NOT_SERVED_HERE, FAILED, PENDING -> {}
      }
    }
    return switch (parent) {
      case PARENT_MISSING -> parentExists() ? unread(failure) : missing(parentPath());
      case NOT_SERVED_HERE ->
          unread(failure) + "; if kcp serves none there, correct apiExportRef.path" + beginning();
      case DENIED -> refused(failure);
      case EXISTS, MISSING, FAILED, PENDING -> unread(failure);
    };
  }

  private String missing(WorkspacePath missing) {
    return "there is no workspace %s (%s %s): create it, or correct apiExportRef.path%s"
        .formatted(
            missing, missing.equals(parentPath()) ? "the parent of" : "above", path, beginning());
  }

  private String refused(String failure) {
    String right =
        ("%s; in workspace %s let the controller's user get, list and watch"
                + " workspaces.tenancy.kcp.io and bind it to ClusterRole system:kcp:workspace:access")
            .formatted(unread(failure), parentPath());
    return parentExists()
        ? right
        : right + "; or, if there is no such workspace, correct apiExportRef.path" + beginning();
  }

  private String unread(String failure) {
    return "workspace %s cannot be looked up: the workspaces in %s cannot be listed: %s"
        .formatted(path, parentPath(), failure);
  }

  /** The remedy for a path whose author may have left out its beginning. */
  private String beginning() {
    return SingleSegmentPath.begins(path) ? "; " + SingleSegmentPath.remedy(path) : "";
  }

  /** Whether the parent is certain to exist. */
  private boolean parentExists() {
    return parentPath().equals(WorkspacePath.ROOT)
        || parentPath()
            .parent()
            .filter(at -> above.contains(new Ancestor(at, ParentAnswer.EXISTS)))
            .isPresent();
  }

  private WorkspacePath parentPath() {
    return path.parent().orElseThrow();
  }

  /** The workspace of the path that follows. */
  private WorkspacePath next(WorkspacePath at) {
    int end = path.value().indexOf(':', at.value().length() + 1);
    return end < 0 ? path : new WorkspacePath(path.value().substring(0, end));
  }
}
