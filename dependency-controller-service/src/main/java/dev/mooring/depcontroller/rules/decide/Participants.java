package dev.mooring.depcontroller.rules.decide;

import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.dependency.WorkspacePaths;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The workspaces that bind the dependency APIExport. Of them authors of rules may know what their
 * rules find there; of no other.
 *
 * @param paths canonical, as kcp writes them onto bindings
 */
public record Participants(Set<LogicalCluster> clusters, Set<WorkspacePath> paths) {
  /** Whether a provider is one of them. */
  public enum Membership {
    MEMBER,
    /** Its path cannot be looked up, and may lead to one. */
    POSSIBLE,
    NONE
  }

  public Participants {
    clusters = Set.copyOf(clusters);
    paths = Set.copyOf(paths);
  }

  /**
   * @param bindings of the export, in all workspaces
   */
  public static Participants of(Collection<KubeObject> bindings) {
    var clusters = new HashSet<LogicalCluster>();
    var paths = new HashSet<WorkspacePath>();
    for (KubeObject binding : bindings) {
      binding.logicalCluster().ifPresent(clusters::add);
      ExportFacts.workspaceOf(binding).ifPresent(paths::add);
    }
    return new Participants(clusters, paths);
  }

  /**
   * @param path that a rule names, and what it leads to
   */
  Membership membership(WorkspacePath path, Resolution resolution) {
    return switch (resolution) {
      case Resolution.Known(var cluster) ->
          clusters.contains(cluster) ? Membership.MEMBER : Membership.NONE;
      case Resolution.Absent(_) -> paths.contains(path) ? Membership.MEMBER : Membership.NONE;
      case Resolution.Unknown(_), Resolution.Pending() when paths.contains(path) ->
          Membership.MEMBER;
      case Resolution.Unknown(_), Resolution.Pending() ->
          paths.stream().anyMatch(own -> WorkspacePaths.mayLeadTo(path, own))
              ? Membership.POSSIBLE
              : Membership.NONE;
    };
  }
}
