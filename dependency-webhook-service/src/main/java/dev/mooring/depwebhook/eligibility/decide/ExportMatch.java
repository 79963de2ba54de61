package dev.mooring.depwebhook.eligibility.decide;

import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.WorkspacePaths;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Whether a consumer's objects are the ones that a rule speaks of: two providers may export types
 * of one group and name, and a consumer may have a type of its own that is called the same. Only
 * what the consumer's bindings disprove does not count.
 */
public final class ExportMatch {
  private ExportMatch() {}

  /** Whether the consumer's dependents are of the export that the rule names. */
  public static boolean dependentsMayBeMeant(DependencyRule rule, List<Binding> bindings) {
    LogicalCluster author = rule.key().cluster();
    DependencyRule.Dependent dependent = rule.dependent();
    GroupResource type = GroupResource.of(dependent.type());
    return bindings.stream()
        .filter(binding -> (dependent.isCore() ? binding.claims() : binding.bound()).contains(type))
        .anyMatch(binding -> binding.mayBindExport(author, dependent.apiExportName()));
  }

  /**
   * Whether the consumer's target is of the export that the rule protects. A target that no binding
   * explains may be.
   *
   * @param paths of logical clusters; empty where it is not known
   */
  public static boolean targetMayBeMeant(
      MatchedRule protection,
      List<Binding> bindings,
      Function<LogicalCluster, Optional<WorkspacePath>> paths) {
    GroupResource type = GroupResource.of(protection.dependency().target());
    DependencyRule.ExportReference export = protection.dependency().export();
    List<Binding> of = bindings.stream().filter(binding -> binding.bound().contains(type)).toList();
    return of.isEmpty()
        || of.stream()
            .anyMatch(binding ->
                binding.export().equals(export.name())
                    && binding
                        .exporter()
                        .flatMap(paths)
                        .map(path -> !WorkspacePaths.certainlyDiffer(path, export.path()))
                        .orElse(true));
  }
}
