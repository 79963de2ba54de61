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
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The APIExports of workspaces, by which the eligibility of rules is decided. A workspace that
 * cannot be read makes its exports {@link ExportReading.Unreadable}, never absent. Thread-safe.
 */
public final class ExportDirectory implements AutoCloseable {
  private final WorkspaceAccess workspaces;
  private final Runnable changed;
  private final WorkspaceInformers<LogicalCluster, Exports> informers =
      new WorkspaceInformers<>(this::open, exports -> exports.objects().close());

  /**
   * One workspace.
   *
   * @param read by name: each version of an export is parsed once
   */
  private record Exports(WorkspaceInformer objects, ConcurrentHashMap<String, Read> read) {}

  private record Read(KubeObject of, ExportReading reading) {}

  /**
   * @param changed runs when an export may have changed; must not block
   */
  public ExportDirectory(WorkspaceAccess workspaces, Runnable changed) {
    this.workspaces = workspaces;
    this.changed = changed;
  }

  /** Watches the exports of these workspaces, and of no others. */
  public void follow(Collection<LogicalCluster> clusters) {
    informers.follow(clusters);
  }

  /** Empty before the first list. */
  public Optional<ExportReading> find(LogicalCluster cluster, String name) {
    return informers.find(cluster).flatMap(workspace -> find(workspace, cluster, name));
  }

  /**
   * The canonical paths of workspaces, as kcp annotates exports; missing for a workspace without an
   * export. A logical cluster keeps its path, so a path stays while its workspace is unreadable.
   */
  public Map<LogicalCluster, WorkspacePath> paths() {
    var paths = new TreeMap<LogicalCluster, WorkspacePath>();
    informers
        .all()
        .forEach(
            (cluster, workspace) -> path(workspace).ifPresent(path -> paths.put(cluster, path)));
    return paths;
  }

  /** Empty if annotations are missing or disagree. */
  private static Optional<WorkspacePath> path(Exports workspace) {
    var annotated = new TreeSet<WorkspacePath>();
    workspace
        .objects()
        .all()
        .forEach(export -> ExportFacts.workspaceOf(export).ifPresent(annotated::add));
    return annotated.size() == 1 ? Optional.of(annotated.first()) : Optional.empty();
  }

  /** For operators: each workspace and whether its exports can be read. */
  public Map<String, String> describe() {
    return informers.describe((cluster, workspace) -> describe(cluster, workspace.objects()));
  }

  @Override
  public void close() {
    informers.close();
  }

  private static Optional<ExportReading> find(
      Exports workspace, LogicalCluster cluster, String name) {
    Optional<KubeFailure> failure = workspace.objects().readFailure();
    if (failure.isPresent()) {
      return Optional.of(new ExportReading.Unreadable(unreadable(cluster, failure.get())));
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

  /** Parses this version, also while another thread asks for another one. */
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
        .readFailure()
        .map(failure -> unreadable(cluster, failure))
        .orElseGet(() -> exports.isListed() ? exports.size() + " exports" : "");
  }

  private static String unreadable(LogicalCluster cluster, KubeFailure failure) {
    String what =
        "the APIExports in logical cluster " + cluster + " cannot be read: " + failure.getMessage();
    return failure.isDenied()
        ? what
            + "; there, let the controller's user get, list and watch apiexports.apis.kcp.io and"
            + " bind it to ClusterRole system:kcp:workspace:access"
        : what;
  }

  private Exports open(LogicalCluster cluster) {
    return new Exports(
        WorkspaceInformer.start(
            workspaces.client(cluster), InformerSpec.of(ExportFacts.TYPE), this::changed, changed),
        new ConcurrentHashMap<>());
  }

  private void changed(Change change) {
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
