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
import java.util.HashMap;
import java.util.List;
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
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<WorkspacePath, Followed> parents = new TreeMap<>();
  private volatile TreeSet<WorkspacePath> followed = new TreeSet<>();
  private boolean closed;

  /**
   * @param changed is called when a path that is followed may lead somewhere else; must be quick
   */
  public WorkspaceDirectory(WorkspaceAccess workspaces, Runnable changed) {
    this.workspaces = Objects.requireNonNull(workspaces, "workspaces");
    this.changed = Objects.requireNonNull(changed, "changed");
  }

  /** From now on these paths are resolved, and no others. */
  public void follow(Collection<WorkspacePath> paths) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      followed = new TreeSet<>(paths);
      var wanted = new TreeSet<WorkspacePath>();
      paths.forEach(path -> path.parent().ifPresent(wanted::add));
      for (WorkspacePath parent : List.copyOf(parents.keySet())) {
        if (!wanted.contains(parent)) {
          parents.remove(parent).close();
        }
      }
      for (WorkspacePath parent : wanted) {
        parents.computeIfAbsent(parent, this::open);
      }
    } finally {
      lock.unlock();
    }
  }

  /** What each followed path leads to. */
  public SortedMap<WorkspacePath, Resolution> resolutions() {
    var resolutions = new TreeMap<WorkspacePath, Resolution>();
    var listed = new HashMap<WorkspacePath, Map<String, KubeObject>>();
    for (WorkspacePath path : followed) {
      resolutions.put(path, resolve(path, listed));
    }
    return resolutions;
  }

  /** For operators: each parent and whether it can be read. */
  public Map<String, String> describe() {
    lock.lock();
    try {
      var described = new TreeMap<String, String>();
      parents.forEach((parent, children) ->
          described.put(
              parent.value(),
              children
                  .doubt()
                  .map(failure -> unreadable(parent, failure))
                  .orElseGet(() ->
                      children.isListed()
                          ? children.all().size() + " workspaces"
                          : "the workspaces in " + parent + " have not been listed yet")));
      return described;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      parents.values().forEach(Followed::close);
      parents.clear();
    } finally {
      lock.unlock();
    }
  }

  /**
   * @param listed the children of each parent by name, which are indexed once
   */
  private Resolution resolve(
      WorkspacePath path, Map<WorkspacePath, Map<String, KubeObject>> listed) {
    Optional<WorkspacePath> parent = path.parent();
    if (parent.isEmpty()) {
      // A root's logical cluster is called as its path is.
      return new Resolution.Known(new LogicalCluster(path.value()));
    }
    Followed children = children(parent.get());
    if (children == null) {
      return new Resolution.Pending();
    }
    Optional<Resolution> doubted =
        children
            .doubt()
            .map(failure ->
                new Resolution.Unknown(
                    "workspace "
                        + path
                        + " cannot be looked up: "
                        + unreadable(parent.get(), failure)));
    if (!children.isListed()) {
      return doubted.orElseGet(Resolution.Pending::new);
    }
    KubeObject named = listed.computeIfAbsent(parent.get(), _ -> byName(children)).get(path.name());
    String cluster = named == null ? "" : named.text("spec", "cluster");
    return cluster.isEmpty()
        ? doubted.orElseGet(() -> new Resolution.Absent(missing(path, parent.get(), named)))
        : new Resolution.Known(new LogicalCluster(cluster));
  }

  private static String missing(WorkspacePath path, WorkspacePath parent, KubeObject named) {
    return named == null
        ? "there is no workspace "
            + path
            + ": create workspace "
            + path.name()
            + " in "
            + parent
            + ", or correct the path"
        : "workspace " + path + " has no logical cluster yet";
  }

  private static Map<String, KubeObject> byName(Followed children) {
    var byName = new HashMap<String, KubeObject>();
    children.all().forEach(workspace -> byName.put(workspace.name(), workspace));
    return byName;
  }

  private Followed children(WorkspacePath parent) {
    lock.lock();
    try {
      return parents.get(parent);
    } finally {
      lock.unlock();
    }
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
