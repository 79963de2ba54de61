package dev.mooring.depcontroller.guard.decide;

import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.WorkspacePaths;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What all rules together protect in one provider's workspace.
 *
 * @param resources sorted; may be empty
 * @param certainty whether there may be more
 */
public record ProtectedResources(SortedSet<GroupResource> resources, Certainty certainty) {
  /** Whether every path that could mean this provider could be resolved. */
  public enum Certainty {
    ALL_KNOWN,
    /** A path that could not be resolved may mean this very provider. */
    MAY_BE_MORE
  }

  public ProtectedResources {
    resources = Collections.unmodifiableSortedSet(new TreeSet<>(resources));
    Objects.requireNonNull(certainty, "certainty");
  }

  /**
   * @param resolutions of the paths that rules name; one that is missing has not been looked up
   */
  public static ProtectedResources in(
      LogicalCluster provider,
      Collection<DependencyRule> rules,
      Map<WorkspacePath, Resolution> resolutions) {
    var resources = new TreeSet<GroupResource>();
    var paths = new TreeMap<WorkspacePath, Resolution>();
    for (DependencyRule rule : rules) {
      for (Dependency dependency : rule.dependencies()) {
        WorkspacePath path = dependency.export().path();
        Resolution resolution = resolutions.getOrDefault(path, new Resolution.Pending());
        paths.put(path, resolution);
        if (leadsTo(provider, resolution)) {
          resources.add(GroupResource.of(dependency.target()));
        }
      }
    }
    return new ProtectedResources(resources, certainty(provider, paths));
  }

  private static Certainty certainty(
      LogicalCluster provider, Map<WorkspacePath, Resolution> paths) {
    boolean mayBeMore =
        paths.entrySet().stream()
            .filter(entry -> !settled(entry.getValue()))
            .anyMatch(entry -> mayMean(entry.getKey(), provider, paths));
    return mayBeMore ? Certainty.MAY_BE_MORE : Certainty.ALL_KNOWN;
  }

  private static boolean settled(Resolution resolution) {
    return switch (resolution) {
      case Resolution.Known(_), Resolution.Absent(_) -> true;
      case Resolution.Unknown(_), Resolution.Pending() -> false;
    };
  }

  /**
   * A workspace has one canonical path, so a path differs from that of a provider that is known.
   */
  private static boolean mayMean(
      WorkspacePath unknown, LogicalCluster provider, Map<WorkspacePath, Resolution> paths) {
    return paths.entrySet().stream()
        .filter(entry -> leadsTo(provider, entry.getValue()))
        .noneMatch(entry -> WorkspacePaths.certainlyDiffer(unknown, entry.getKey()));
  }

  private static boolean leadsTo(LogicalCluster provider, Resolution resolution) {
    return resolution instanceof Resolution.Known(var cluster) && cluster.equals(provider);
  }
}
