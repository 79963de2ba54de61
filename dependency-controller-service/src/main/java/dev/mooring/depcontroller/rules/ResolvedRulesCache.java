package dev.mooring.depcontroller.rules;

import dev.mooring.depcontroller.rules.decide.Participants;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.rules.decide.ResolvedRules.ExportKey;
import dev.mooring.depcontroller.workspace.ExportDirectory;
import dev.mooring.depcontroller.workspace.SchemaDirectory;
import dev.mooring.depcontroller.workspace.WorkspaceDirectory;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.depcontroller.workspace.decide.VersionReading;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.dependency.RuleCache;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The current {@link ResolvedRules}, resolved once after each change and shared by all users.
 * Thread-safe.
 */
public final class ResolvedRulesCache {
  private final RuleCache rules;
  private final WorkspaceDirectory workspaces;
  private final ExportDirectory exports;
  private final SchemaDirectory schemas;
  private final Supplier<List<KubeObject>> bindings;
  private final AtomicLong changes = new AtomicLong();
  private ResolvedRules last = ResolvedRules.EMPTY;

  /** The number of changes that those include at least. */
  private long asOf = -1;

  /**
   * @param bindings of the dependency APIExport, in all workspaces
   */
  public ResolvedRulesCache(
      RuleCache rules,
      WorkspaceDirectory workspaces,
      ExportDirectory exports,
      SchemaDirectory schemas,
      Supplier<List<KubeObject>> bindings) {
    this.rules = rules;
    this.workspaces = workspaces;
    this.exports = exports;
    this.schemas = schemas;
    this.bindings = bindings;
  }

  /** Has the next call of {@link #current} resolve again. */
  public void invalidate() {
    changes.incrementAndGet();
  }

  public synchronized ResolvedRules current() {
    long now = changes.get();
    if (asOf != now) {
      last = resolve();
      asOf = now;
    }
    return last;
  }

  /**
   * Has the directories watch the workspaces that rules name.
   *
   * @param guarded workspaces that have a webhook configuration
   */
  public void follow(Collection<LogicalCluster> guarded) {
    var paths = new TreeSet<WorkspacePath>();
    var clusters = new TreeSet<LogicalCluster>();
    for (DependencyRule rule : rules.valid()) {
      rule.dependencies().forEach(dependency -> paths.add(dependency.export().path()));
      clusters.add(rule.key().cluster());
    }
    workspaces.follow(paths);
    schemas.follow(clusters);
    for (Resolution resolution : workspaces.resolutions().values()) {
      if (resolution instanceof Resolution.Known(var cluster)) {
        clusters.add(cluster);
      }
    }
    clusters.addAll(guarded);
    exports.follow(clusters);
    invalidate();
  }

  private ResolvedRules resolve() {
    List<RuleReading> readings = rules.readings();
    Map<WorkspacePath, Resolution> resolutions = workspaces.resolutions();
    var found = new HashMap<ExportKey, ExportReading>();
    var versions = new HashMap<ObjectKey, VersionReading>();
    for (DependencyRule rule : RuleReading.valid(readings)) {
      LogicalCluster own = rule.key().cluster();
      export(own, rule.dependent().apiExportName(), found)
          .flatMap(export -> ResolvedRules.schema(rule, export))
          .flatMap(schema -> schemas.find(own, schema))
          .ifPresent(reading -> versions.put(rule.key(), reading));
      for (Dependency dependency : rule.dependencies()) {
        if (resolutions.get(dependency.export().path()) instanceof Resolution.Known(var cluster)) {
          export(cluster, dependency.export().name(), found);
        }
      }
    }
    return new ResolvedRules(
        readings, resolutions, found, versions, exports.paths(), Participants.of(bindings.get()));
  }

  /** Each export is read once for one snapshot, so that all rules see the same. */
  private Optional<ExportReading> export(
      LogicalCluster cluster, String name, Map<ExportKey, ExportReading> found) {
    var key = new ExportKey(cluster, name);
    if (!found.containsKey(key)) {
      exports.find(cluster, name).ifPresent(reading -> found.put(key, reading));
    }
    return Optional.ofNullable(found.get(key));
  }
}
