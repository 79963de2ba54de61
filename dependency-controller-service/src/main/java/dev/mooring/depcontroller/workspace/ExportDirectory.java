package dev.mooring.depcontroller.workspace;

import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.InformerSpec;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The APIExports of workspaces, by which the eligibility of rules is decided. Thread-safe. */
public final class ExportDirectory extends ClusterDirectory<ExportReading> {
  /**
   * @param changed runs when an export may have changed; must not block
   */
  public ExportDirectory(WorkspaceAccess workspaces, Runnable changed) {
    super(workspaces, InformerSpec.of(ExportFacts.TYPE), "APIExports", "exports", changed);
  }

  @Override
  ExportReading reading(Optional<KubeObject> export) {
    return export
        .<ExportReading>map(found -> new ExportReading.Found(ExportFacts.of(found)))
        .orElseGet(ExportReading.Absent::new);
  }

  @Override
  ExportReading unreadable(String why) {
    return new ExportReading.Unreadable(why);
  }

  /**
   * The canonical paths of workspaces, as kcp annotates exports; missing for a workspace without an
   * export. A logical cluster keeps its path, so a path stays while its workspace is unreadable.
   */
  public Map<LogicalCluster, WorkspacePath> paths() {
    var paths = new TreeMap<LogicalCluster, WorkspacePath>();
    informers
        .all()
        .forEach((cluster, exports) -> path(exports).ifPresent(path -> paths.put(cluster, path)));
    return paths;
  }

  /** Empty if annotations are missing or disagree. */
  private static Optional<WorkspacePath> path(WorkspaceInformer exports) {
    var annotated = new TreeSet<WorkspacePath>();
    exports.all().forEach(export -> ExportFacts.workspaceOf(export).ifPresent(annotated::add));
    return annotated.size() == 1 ? Optional.of(annotated.first()) : Optional.empty();
  }
}
