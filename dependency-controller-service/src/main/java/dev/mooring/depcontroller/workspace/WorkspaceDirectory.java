package dev.mooring.depcontroller.workspace;

import dev.mooring.depcontroller.workspace.decide.PathDiagnosis;
import dev.mooring.depcontroller.workspace.decide.PathDiagnosis.ParentAnswer;
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
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which logical cluster a workspace path means now. Each parent is listed once and then watched, so
 * that a workspace that is created, or deleted and created again, is noticed at once. A parent that
 * cannot be read makes its children {@link Resolution.Unknown}, never absent, also where it is not
 * there: what kcp says of it may be wrong for a moment. Those that were found while it could be
 * read stay where they were. To tell why it cannot, the workspaces above it are followed as well,
 * until it can be. Thread-safe.
 */
public final class WorkspaceDirectory implements AutoCloseable {
  private static final InformerSpec WORKSPACES =
      InformerSpec.of(new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces"));

  private final WorkspaceAccess workspaces;
  private final Runnable changed;
  private final WorkspaceInformers<WorkspacePath, WorkspaceInformer> parents =
      new WorkspaceInformers<>(this::open, WorkspaceInformer::close);

  /** Held while paths and parents become those of the same call. */
  private final ReentrantLock following = new ReentrantLock();

  private volatile TreeSet<WorkspacePath> followed = new TreeSet<>();

  /** The paths that are followed, and all above them. */
  private volatile Set<WorkspacePath> ways = Set.of();

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
    var all = new HashSet<WorkspacePath>();
    for (WorkspacePath path : paths) {
      path.parent().ifPresent(wanted::add);
      doubted(path)
          .ifPresent(diagnosis -> diagnosis.above().forEach(ancestor -> wanted.add(ancestor.at())));
      for (var at = Optional.of(path); at.isPresent(); at = at.get().parent()) {
        all.add(at.get());
      }
    }
    following.lock();
    try {
      // First: what parents show once they are opened is looked for among these.
      followed = new TreeSet<>(paths);
      ways = all;
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

  private Resolution resolve(WorkspacePath path, WorkspacePath parent, WorkspaceInformer children) {
    Optional<KubeFailure> doubt = children.doubt();
    if (!children.isListed()) {
      return doubt
          .filter(_ -> !diagnosis(path).pending())
          .map(failure -> unknown(path, failure))
          .orElseGet(Resolution.Pending::new);
    }
    Optional<KubeObject> named = children.find(path.name());
    String cluster = named.map(WorkspaceDirectory::cluster).orElse("");
    return cluster.isEmpty()
        ? doubt
            .map(failure -> unknown(path, failure))
            .orElseGet(() -> new Resolution.Absent(missing(path, parent, named)))
        : new Resolution.Known(new LogicalCluster(cluster));
  }

  private Resolution unknown(WorkspacePath path, KubeFailure failure) {
    return new Resolution.Unknown(diagnosis(path).why(failure.getMessage()));
  }

  /** Of a path whose parent does not say what is there, for a reason that those above may know. */
  private Optional<PathDiagnosis> doubted(WorkspacePath path) {
    return path.parent()
        .flatMap(parents::find)
        .flatMap(WorkspaceInformer::doubt)
        .filter(failure -> answer(failure) != ParentAnswer.FAILED)
        .map(_ -> diagnosis(path));
  }

  private PathDiagnosis diagnosis(WorkspacePath path) {
    return PathDiagnosis.of(path, this::answer);
  }

  private ParentAnswer answer(WorkspacePath at, WorkspacePath next) {
    Optional<WorkspaceInformer> found = parents.find(at);
    if (found.isEmpty()) {
      return ParentAnswer.PENDING;
    }
    WorkspaceInformer children = found.get();
    Optional<KubeFailure> doubt = children.doubt();
    if (doubt.isPresent()) {
      return answer(doubt.get());
    }
    if (!children.isListed()) {
      return ParentAnswer.PENDING;
    }
    return children.find(next.name()).isPresent() ? ParentAnswer.EXISTS : ParentAnswer.MISSING;
  }

  /**
   * Of a workspace that does not exist kcp speaks in a Status; of a type that is not served, not.
   */
  private static ParentAnswer answer(KubeFailure failure) {
    return switch (failure.kind()) {
      case FORBIDDEN, UNAUTHORIZED -> ParentAnswer.DENIED;
      case NOT_SERVED ->
          failure.reason().equals("NotFound")
              ? ParentAnswer.PARENT_MISSING
              : ParentAnswer.NOT_SERVED_HERE;
      case NOT_FOUND, ALREADY_EXISTS, CONFLICT, INVALID, GONE, TOO_LARGE, UNAVAILABLE ->
          ParentAnswer.FAILED;
    };
  }

  private static String cluster(KubeObject workspace) {
    return workspace.text("spec", "cluster");
  }

  private static String describe(WorkspacePath parent, WorkspaceInformer children) {
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
            + ", or correct apiExportRef.path"
        : "workspace " + path + " has no logical cluster yet";
  }

  private static String unreadable(WorkspacePath parent, KubeFailure failure) {
    return "the workspaces in " + parent + " cannot be listed: " + failure.getMessage();
  }

  private WorkspaceInformer open(WorkspacePath parent) {
    return WorkspaceInformer.start(
        workspaces.client(parent), WORKSPACES, change -> tell(parent, change), changed);
  }

  private void tell(WorkspacePath parent, Change change) {
    boolean moved =
        switch (change) {
          case Change.Added(_, _) -> true;
          case Change.Updated(_, KubeObject before, KubeObject after) ->
              !cluster(before).equals(cluster(after));
          case Change.Removed(_, _) -> true;
        };
    ObjectKey key = change.key();
    if (moved && ways.contains(parent.child(key.name()))) {
      changed.run();
    }
  }
}
