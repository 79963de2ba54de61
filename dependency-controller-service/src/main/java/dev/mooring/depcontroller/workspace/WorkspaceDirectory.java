package dev.mooring.depcontroller.workspace;

import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.InformerSpec;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which logical cluster a workspace path means now. Each parent is listed once and then watched, so
 * that a workspace that is created, or deleted and created again, is noticed at once. A parent that
 * cannot be read makes its children {@link Resolution.Unknown}, never absent; those that were found
 * while it could stay where they were. Thread-safe.
 */
public final class WorkspaceDirectory implements AutoCloseable {
  private static final InformerSpec WORKSPACES =
      InformerSpec.of(new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces"));

  private final WorkspaceAccess workspaces;
  private final Runnable changed;
  private final FollowedWorkspaces<WorkspacePath, Followed> parents =
      new FollowedWorkspaces<>(this::open, Followed::close);

  /** Held while paths and parents become those of the same call. */
  private final ReentrantLock following = new ReentrantLock();

  private volatile TreeSet<WorkspacePath> followed = new TreeSet<>();

  /**
   * @param changed is called when a path that is followed may lead somewhere else; must be quick
   */
  public WorkspaceDirectory(WorkspaceAccess workspaces, Runnable changed) {
    this.workspaces = Objects.requireNonNull(workspaces, "workspaces");
    this.changed = Objects.requireNonNull(changed, "changed");
  }

  /** From now on these paths are resolved, and no others. */
  public void follow(Collection<WorkspacePath> paths) {
    var wanted = new TreeSet<WorkspacePath>();
    paths.forEach(path -> path.parent().ifPresent(wanted::add));
    following.lock();
    try {
      // First: what parents show once they are opened is looked for among these.
      followed = new TreeSet<>(paths);
      parents.follow(wanted);
    } finally {
      following.unlock();
    }
  }

  /** What each followed path leads to. */
  public SortedMap<WorkspacePath, Resolution> resolutions() {
    var resolutions = new TreeMap<WorkspacePath, Resolution>();
    for (WorkspacePath path : followed) {
      resolutions.put(path, resolve(path));
    }
    return resolutions;
  }

  /** For operators: each parent and whether it can be read. */
  public Map<String, String> describe() {
    return parents.describe(WorkspaceDirectory::describe);
  }

  @Override
  public void close() {
    parents.close();
  }

  private Resolution resolve(WorkspacePath path) {
    Optional<WorkspacePath> parent = path.parent();
    if (parent.isEmpty()) {
      // A root's logical cluster is called as its path is.
      return new Resolution.Known(new LogicalCluster(path.value()));
    }
    return parents
        .find(parent.get())
        .map(children -> resolve(path, parent.get(), children))
        .orElseGet(Resolution.Pending::new);
  }

  private static Resolution resolve(WorkspacePath path, WorkspacePath parent, Followed children) {
    Optional<Resolution> doubted =
        children
            .doubt()
            .map(failure ->
                new Resolution.Unknown(
                    "workspace " + path + " cannot be looked up: " + unreadable(parent, failure)));
    if (!children.isListed()) {
      return doubted.orElseGet(Resolution.Pending::new);
    }
    Optional<KubeObject> named = children.find(path.name());
    String cluster = named.map(workspace -> workspace.text("spec", "cluster")).orElse("");
    return cluster.isEmpty()
        ? doubted.orElseGet(() -> new Resolution.Absent(missing(path, parent, named)))
        : new Resolution.Known(new LogicalCluster(cluster));
  }

  private static String describe(WorkspacePath parent, Followed children) {
    return children
        .doubt()
        .map(failure -> unreadable(parent, failure))
        .orElseGet(() ->
            children.isListed()
                ? children.size() + " workspaces"
                : "the workspaces in " + parent + " have not been listed yet");
  }

  private static String missing(
      WorkspacePath path, WorkspacePath parent, Optional<KubeObject> named) {
    return named.isEmpty()
        ? "there is no workspace "
            + path
            + ": create workspace "
            + path.name()
            + " in "
            + parent
            + ", or correct the path"
        : "workspace " + path + " has no logical cluster yet";
  }

  private static String unreadable(WorkspacePath parent, KubeFailure failure) {
    String what = "the workspaces in " + parent + " cannot be listed: " + failure.getMessage();
    return switch (failure.kind()) {
      case FORBIDDEN, UNAUTHORIZED ->
          what
              + "; in workspace "
              + parent
              + " let the controller's user get, list and watch workspaces.tenancy.kcp.io and bind"
              + " it to ClusterRole system:kcp:workspace:access";
      default -> what;
    };
  }

  private Followed open(WorkspacePath parent) {
    return Followed.start(
        workspaces.client(parent), WORKSPACES, change -> tell(parent, change), changed);
  }

  private void tell(WorkspacePath parent, Change change) {
    boolean moved =
        switch (change) {
          case Change.Added(_, _) -> true;
          case Change.Updated(_, KubeObject before, KubeObject after) ->
              !before.text("spec", "cluster").equals(after.text("spec", "cluster"));
          case Change.Removed(_, _) -> true;
        };
    ObjectKey key = change.key();
    if (moved && followed.contains(parent.child(key.name()))) {
      changed.run();
    }
  }
}
