package dev.mooring.depcontroller.workspace;

import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.InformerSpec;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The APIExports of providers, by which the authority of rules is judged. Each workspace is listed
 * once and then watched. One that cannot be read, or not any more, makes its exports {@link
 * ExportReading.Unreadable}, never absent, nor what they were. Thread-safe.
 */
public final class ExportDirectory implements AutoCloseable {
  private final WorkspaceAccess workspaces;
  private final Runnable changed;
  private final WorkspaceInformers<LogicalCluster, Exports> followed =
      new WorkspaceInformers<>(this::open, exports -> exports.objects().close());

  /**
   * One workspace.
   *
   * @param read by name: facts are read once for each version of an export
   */
  private record Exports(WorkspaceInformer objects, ConcurrentHashMap<String, Read> read) {}

  private record Read(KubeObject of, ExportReading reading) {}

  /**
   * @param changed is called when an export may have changed; must be quick
   */
  public ExportDirectory(WorkspaceAccess workspaces, Runnable changed) {
    this.workspaces = Objects.requireNonNull(workspaces, "workspaces");
    this.changed = Objects.requireNonNull(changed, "changed");
  }

  /** From now on exports of these workspaces are known, and of no others. */
  public void follow(Collection<LogicalCluster> clusters) {
    followed.follow(clusters);
  }

  /** Empty while nobody has looked. */
  public Optional<ExportReading> find(LogicalCluster cluster, String name) {
    return followed.find(cluster).flatMap(workspace -> find(workspace, cluster, name));
  }

  /**
   * The canonical paths of workspaces, as kcp writes them onto exports; of one without an export,
   * or that nobody could ever list, there is none. A logical cluster keeps its path, so what was
   * read once holds while it cannot be read.
   */
  public Map<LogicalCluster, WorkspacePath> paths() {
    var paths = new TreeMap<LogicalCluster, WorkspacePath>();
    followed
        .all()
        .forEach(
            (cluster, workspace) -> path(workspace).ifPresent(path -> paths.put(cluster, path)));
    return paths;
  }

  /** What all exports say that say something. */
  private static Optional<WorkspacePath> path(Exports workspace) {
    var told = new TreeSet<WorkspacePath>();
    workspace
        .objects()
        .all()
        .forEach(export -> ExportFacts.workspaceOf(export).ifPresent(told::add));
    return told.size() == 1 ? Optional.of(told.first()) : Optional.empty();
  }

  /** For operators: each workspace and whether its exports can be read. */
  public Map<String, String> describe() {
    return followed.describe((cluster, workspace) -> describe(cluster, workspace.objects()));
  }

  @Override
  public void close() {
    followed.close();
  }

  private static Optional<ExportReading> find(
      Exports workspace, LogicalCluster cluster, String name) {
    Optional<KubeFailure> doubt = workspace.objects().doubt();
    if (doubt.isPresent()) {
      return Optional.of(new ExportReading.Unreadable(unreadable(cluster, doubt.get())));
    }
    if (!workspace.objects().isListed()) {
      return Optional.empty();
    }
    Optional<KubeObject> export = workspace.objects().find(name);
    if (export.isEmpty()) {
      workspace.read().remove(name);
      return Optional.of(new ExportReading.Absent());
    }
    return Optional.of(read(workspace, export.get()));
  }

  /** Of this very version, whichever others are asking for at the same time. */
  private static ExportReading read(Exports workspace, KubeObject export) {
    Read held = workspace.read().get(export.name());
    if (held != null && held.of() == export) {
      return held.reading();
    }
    var fresh = new Read(export, new ExportReading.Found(ExportFacts.of(export)));
    workspace.read().put(export.name(), fresh);
    return fresh.reading();
  }

  private static String describe(LogicalCluster cluster, WorkspaceInformer exports) {
    return exports
        .doubt()
        .map(failure -> unreadable(cluster, failure))
        .orElseGet(() -> exports.isListed() ? exports.size() + " exports" : "");
  }

  private static String unreadable(LogicalCluster cluster, KubeFailure failure) {
    String what =
        "the APIExports in logical cluster " + cluster + " cannot be read: " + failure.getMessage();
    return switch (failure.kind()) {
      case FORBIDDEN, UNAUTHORIZED ->
          what
              + "; there, let the controller's user get, list and watch apiexports.apis.kcp.io and"
              + " bind it to ClusterRole system:kcp:workspace:access";
      default -> what;
    };
  }

  private Exports open(LogicalCluster cluster) {
    return new Exports(
        WorkspaceInformer.start(
            workspaces.client(cluster), InformerSpec.of(ExportFacts.TYPE), this::tell, changed),
        new ConcurrentHashMap<>());
  }

  private void tell(Change change) {
    boolean matters =
        switch (change) {
          case Change.Added(_, _), Change.Removed(_, _) -> true;
          case Change.Updated(_, KubeObject before, KubeObject after) ->
              !ExportFacts.of(before).equals(ExportFacts.of(after));
        };
    if (matters) {
      changed.run();
    }
  }
}
