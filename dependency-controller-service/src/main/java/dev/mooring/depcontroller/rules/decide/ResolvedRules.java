package dev.mooring.depcontroller.rules.decide;

import dev.mooring.depcontroller.rules.decide.Participants.Membership;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.depcontroller.workspace.decide.VersionReading;
import dev.mooring.model.dependency.Authority;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Everything that decisions are made on, at one moment.
 *
 * @param readings every rule, valid or not
 * @param resolutions of the paths that rules name; one that is missing has not been looked up
 * @param exports that rules name; one that is missing has not been looked up
 * @param versions in which the dependents of rules are served; of what an export has no schema for,
 *     or nobody has looked up, there are none
 * @param paths canonical, of workspaces by their logical clusters, as far as kcp tells
 * @param participants providers that bind the dependency APIExport, and authors of rules
 */
public record ResolvedRules(
    List<RuleReading> readings,
    Map<WorkspacePath, Resolution> resolutions,
    Map<ExportKey, ExportReading> exports,
    Map<ObjectKey, VersionReading> versions,
    Map<LogicalCluster, WorkspacePath> paths,
    Participants participants) {
  public static final ResolvedRules EMPTY =
      new ResolvedRules(
          List.of(), Map.of(), Map.of(), Map.of(), Map.of(), new Participants(Set.of(), Set.of()));

  public ResolvedRules {
    readings = List.copyOf(readings);
    resolutions = Map.copyOf(resolutions);
    exports = Map.copyOf(exports);
    versions = Map.copyOf(versions);
    paths = Map.copyOf(paths);
    Objects.requireNonNull(participants, "participants");
  }

  /** The rules that can be read. */
  public List<DependencyRule> rules() {
    return valid(readings);
  }

  /** Those that can be read, in order. */
  public static List<DependencyRule> valid(List<RuleReading> readings) {
    var rules = new ArrayList<DependencyRule>();
    for (RuleReading reading : readings) {
      switch (reading) {
        case RuleReading.Valid(var rule) -> rules.add(rule);
        case RuleReading.Invalid(_, _, _) -> {}
      }
    }
    return rules;
  }

  /** Whether everything that rules name has been looked up, with or without success. */
  public boolean complete() {
    for (DependencyRule rule : rules()) {
      if (!knowsVersions(rule)) {
        return false;
      }
      for (Dependency dependency : rule.dependencies()) {
        ResolvedDependency resolved = resolved(rule, dependency);
        if (resolved.authority().isEmpty() || resolved.resolution() instanceof Resolution.Pending) {
          return false;
        }
      }
    }
    return true;
  }

  public Resolution resolution(Dependency dependency) {
    return resolutions.getOrDefault(dependency.export().path(), new Resolution.Pending());
  }

  public ResolvedDependency resolved(DependencyRule rule, Dependency dependency) {
    Resolution resolution = resolution(dependency);
    Membership provider = participants.membership(dependency.export().path(), resolution);
    Optional<ExportReading> dependents = dependents(rule);
    if (dependents.isEmpty()) {
      return new ResolvedDependency(resolution, provider, Optional.empty());
    }
    Authority own = Authority.overDependent(rule, dependents.get());
    Optional<Authority> authority =
        provider == Membership.MEMBER
                && resolution instanceof Resolution.Known(var cluster)
                && own.counts()
            ? export(cluster, dependency.export().name())
                .map(targets -> Authority.of(rule, dependency, dependents.get(), targets))
            : Optional.of(own);
    return new ResolvedDependency(resolution, provider, authority);
  }

  /** The paths in rules that are those of providers that take part. */
  public SortedSet<WorkspacePath> participating() {
    var paths = new TreeSet<WorkspacePath>();
    for (DependencyRule rule : rules()) {
      for (Dependency dependency : rule.dependencies()) {
        if (resolved(rule, dependency).takesPart()) {
          paths.add(dependency.export().path());
        }
      }
    }
    return paths;
  }

  /**
   * Of each rule that has one the gravest; the first of several. None of rules that nobody has
   * looked at yet.
   */
  public SortedMap<ObjectKey, RuleProblem> ruleProblems() {
    var ruleProblems = new TreeMap<ObjectKey, RuleProblem>();
    for (DependencyRule rule : rules()) {
      for (Dependency dependency : rule.dependencies()) {
        RuleProblem.of(dependency, resolved(rule, dependency))
            .ifPresent(
                ruleProblem -> ruleProblems.merge(rule.key(), ruleProblem, RuleProblem::graver));
      }
    }
    return Collections.unmodifiableSortedMap(ruleProblems);
  }

  /** Whether the rule may speak for its dependents; empty while nobody has looked. */
  public Optional<Authority> overDependent(DependencyRule rule) {
    return dependents(rule).map(export -> Authority.overDependent(rule, export));
  }

  /** In which versions its dependents are served; empty if there is nothing to look at, too. */
  public Optional<VersionReading> versions(DependencyRule rule) {
    return Optional.ofNullable(versions.get(rule.key()));
  }

  /** Whether it has been looked up, with or without success, if there is something to look at. */
  public boolean knowsVersions(DependencyRule rule) {
    return versions.containsKey(rule.key())
        || dependents(rule).flatMap(export -> schema(rule, export)).isEmpty();
  }

  /**
   * The APIResourceSchema of its dependents; empty if their export does not name one.
   *
   * @param dependents the export that the rule names, in its own workspace
   */
  public static Optional<String> schema(DependencyRule rule, ExportReading dependents) {
    return dependents instanceof ExportReading.Found(var facts)
        ? Optional.ofNullable(facts.schemas().get(GroupResource.of(rule.dependent().type())))
        : Optional.empty();
  }

  /** The providers that dependencies lead to, and those whose own dependents are guarded. */
  public SortedMap<LogicalCluster, List<DependencyRule>> byProvider() {
    var providers = new TreeMap<LogicalCluster, List<DependencyRule>>();
    for (DependencyRule rule : rules()) {
      var own = new TreeSet<LogicalCluster>();
      if (rule.guardsReferences()) {
        own.add(rule.key().cluster());
      }
      for (Dependency dependency : rule.dependencies()) {
        if (resolution(dependency) instanceof Resolution.Known(var cluster)) {
          own.add(cluster);
        }
      }
      own.forEach(
          provider -> providers.computeIfAbsent(provider, _ -> new ArrayList<>()).add(rule));
    }
    return providers;
  }

  private Optional<ExportReading> dependents(DependencyRule rule) {
    return export(rule.key().cluster(), rule.dependent().apiExportName());
  }

  private Optional<ExportReading> export(LogicalCluster cluster, String name) {
    return Optional.ofNullable(exports.get(new ExportKey(cluster, name)));
  }
}
