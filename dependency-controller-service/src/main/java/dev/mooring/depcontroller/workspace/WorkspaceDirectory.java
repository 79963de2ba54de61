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
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Resolves workspace paths to logical clusters, by an informer of the workspaces in each parent.
 * Children of a parent that cannot be read are {@link Resolution.Unknown}, never absent, also where
 * kcp answers that the parent does not exist: that answer may be wrong for a moment. A child that
 * was found before stays resolved. To name the cause, the workspaces above are watched as well
 * until the parent can be read. Thread-safe.
 */
public final class WorkspaceDirectory implements AutoCloseable {
  private static final InformerSpec WORKSPACES =
      InformerSpec.of(new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces"));

  private final WorkspaceAccess workspaces;
  private final Runnable changed;
  private final WorkspaceInformers<WorkspacePath> parents = new WorkspaceInformers<>(this::open);

  private volatile TreeSet<WorkspacePath> followed = new TreeSet<>();

  /** The followed paths, and all above them. */
  private volatile Set<WorkspacePath> prefixes = Set.of();

  /**
   * @param changed runs when a followed path may resolve differently; must not block
   */
  public WorkspaceDirectory(WorkspaceAccess workspaces, Runnable changed) {
    this.workspaces = workspaces;
    this.changed = changed;
  }

  /** Resolves these paths, and no others. */
  public void follow(Collection<WorkspacePath> paths) {
    var wanted = new TreeSet<WorkspacePath>();
    var all = new HashSet<WorkspacePath>();
    for (WorkspacePath path : paths) {
      path.parent().ifPresent(wanted::add);
      unreadable(path)
          .ifPresent(diagnosis -> diagnosis.above().forEach(ancestor -> wanted.add(ancestor.at())));
      for (var at = Optional.of(path); at.isPresent(); at = at.get().parent()) {
        all.add(at.get());
      }
    }
    // The paths and the parents of one call stay together.
    synchronized (this) {
      // First: events of newly opened parents are matched against these.
      followed = new TreeSet<>(paths);
      prefixes = all;
      parents.follow(wanted);
    }
  }

  /** The resolution of each followed path. */
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
      // A root's logical cluster has the name of its path.
      return new Resolution.Known(new LogicalCluster(path.value()));
    }
    return parents
        .find(parent.get())
        .map(children -> resolve(path, parent.get(), children))
        .orElseGet(Resolution.Pending::new);
  }

  private Resolution resolve(WorkspacePath path, WorkspacePath parent, WorkspaceInformer children) {
    Optional<KubeFailure> failure = children.readFailure();
    if (!children.isListed()) {
      return failure
          .filter(_ -> !diagnosis(path).pending())
          .map(cause -> unknown(path, cause))
          .orElseGet(Resolution.Pending::new);
    }
    Optional<KubeObject> named = children.find(path.name());
    String cluster = named.map(WorkspaceDirectory::cluster).orElse("");
    return cluster.isEmpty()
        ? failure
            .map(cause -> unknown(path, cause))
            .orElseGet(() -> new Resolution.Absent(missing(path, parent, named)))
        : new Resolution.Known(new LogicalCluster(cluster));
  }

  private Resolution unknown(WorkspacePath path, KubeFailure failure) {
    return new Resolution.Unknown(diagnosis(path).why(failure.getMessage()));
  }

  /**
   * The diagnosis of a path whose parent cannot be read, if workspaces above may show the cause.
   */
  private Optional<PathDiagnosis> unreadable(WorkspacePath path) {
    return path.parent()
        .flatMap(parents::find)
        .flatMap(WorkspaceInformer::readFailure)
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
    Optional<KubeFailure> failure = children.readFailure();
    if (failure.isPresent()) {
      return answer(failure.get());
    }
    if (!children.isListed()) {
      return ParentAnswer.PENDING;
    }
    return children.find(next.name()).isPresent() ? ParentAnswer.EXISTS : ParentAnswer.MISSING;
  }

  /** For a workspace that does not exist kcp answers with a Status; for a type, without one. */
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
        .readFailure()
        .map(failure -> unreadable(parent, failure))
        .orElseGet(() ->
            children.isListed()
                ? children.size() + " workspaces"
                : "the workspaces in " + parent + " have not been listed yet");
  }

  private static String missing(
      WorkspacePath path, WorkspacePath parent, Optional<KubeObject> named) {
    return named.isEmpty()
        ? "there is no workspace %s: create workspace %s in %s, or correct apiExportRef.path"
            .formatted(path, path.name(), parent)
        : "workspace " + path + " has no logical cluster yet";
  }

  private static String unreadable(WorkspacePath parent, KubeFailure failure) {
    return "the workspaces in " + parent + " cannot be listed: " + failure.getMessage();
  }

  private WorkspaceInformer open(WorkspacePath parent) {
    return WorkspaceInformer.start(
        workspaces.client(parent), WORKSPACES, change -> changed(parent, change), changed);
  }

  private void changed(WorkspacePath parent, Change change) {
    boolean moved =
        switch (change) {
          case Change.Added(_, _) -> true;
          case Change.Updated(_, KubeObject before, KubeObject after) ->
              !cluster(before).equals(cluster(after));
          case Change.Removed(_, _) -> true;
        };
    ObjectKey key = change.key();
    if (moved && prefixes.contains(parent.child(key.name()))) {
      changed.run();
    }
  }
}
