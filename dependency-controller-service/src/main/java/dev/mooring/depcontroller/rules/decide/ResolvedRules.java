package dev.mooring.depcontroller.rules.decide;

import dev.mooring.depcontroller.rules.decide.Participants.Membership;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.depcontroller.workspace.decide.VersionReading;
import dev.mooring.model.dependency.Authority;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.dependency.FieldFindings;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.schema.ObjectSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All rules, what their paths, exports and versions resolve to, and which of their dependencies are
 * eligible: an immutable snapshot, from which every decision is made.
 */
public final class ResolvedRules {
  public static final ResolvedRules EMPTY =
      new ResolvedRules(
          List.of(), Map.of(), Map.of(), Map.of(), Map.of(), new Participants(Set.of(), Set.of()));

  /** Which APIExport. */
  public record ExportKey(LogicalCluster cluster, String name) {}

  private final List<RuleReading> readings;
  private final List<DependencyRule> rules;
  private final Map<WorkspacePath, Resolution> resolutions;
  private final Map<ExportKey, ExportReading> exports;
  private final Map<ObjectKey, VersionReading> versions;
  private final Map<LogicalCluster, WorkspacePath> paths;
  private final Participants participants;
  private final Map<DependencyRule, List<ResolvedDependency>> dependencies =
      new IdentityHashMap<>();
  private final TreeSet<WorkspacePath> participating = new TreeSet<>();
  private final TreeMap<ObjectKey, RuleProblem> ruleProblems = new TreeMap<>();
  private final TreeMap<LogicalCluster, List<DependencyRule>> byProvider = new TreeMap<>();
  private final List<DependencyRule> unsettled = new ArrayList<>();

  /**
   * @param readings every rule, valid or not
   * @param resolutions of the paths that rules name; those not looked up yet are missing
   * @param exports that rules name; those not looked up yet are missing
   * @param versions in which the dependents of rules are served; missing where the export has no
   *     schema for them, or the schemas are not listed yet
   * @param paths canonical, of workspaces by their logical clusters, as far as kcp publishes them
   * @param participants workspaces that bind the dependency APIExport
   */
  public ResolvedRules(
      List<RuleReading> readings,
      Map<WorkspacePath, Resolution> resolutions,
      Map<ExportKey, ExportReading> exports,
      Map<ObjectKey, VersionReading> versions,
      Map<LogicalCluster, WorkspacePath> paths,
      Participants participants) {
    this.readings = List.copyOf(readings);
    this.rules = RuleReading.valid(this.readings);
    this.resolutions = Map.copyOf(resolutions);
    this.exports = Map.copyOf(exports);
    this.versions = Map.copyOf(versions);
    this.paths = Map.copyOf(paths);
    this.participants = participants;
    for (DependencyRule rule : rules) {
      List<ResolvedDependency> resolved = resolve(rule);
      dependencies.put(rule, resolved);
      for (ResolvedDependency dependency : resolved) {
        if (dependency.takesPart()) {
          participating.add(dependency.path());
        }
        RuleProblem.of(dependency)
            .ifPresent(problem -> ruleProblems.merge(rule.key(), problem, RuleProblem::graver));
      }
      providers(rule, resolved)
          .forEach(
              provider -> byProvider.computeIfAbsent(provider, _ -> new ArrayList<>()).add(rule));
      if (!resolved.stream().allMatch(ResolvedDependency::settled)) {
        unsettled.add(rule);
      }
    }
  }

  /** Every rule, valid or not. */
  public List<RuleReading> readings() {
    return readings;
  }

  /** The valid rules. */
  public List<DependencyRule> rules() {
    return rules;
  }

  public Map<WorkspacePath, Resolution> resolutions() {
    return resolutions;
  }

  public Map<ExportKey, ExportReading> exports() {
    return exports;
  }

  /** By rule. */
  public Map<ObjectKey, VersionReading> versions() {
    return versions;
  }

  public Participants participants() {
    return participants;
  }

  /** The canonical paths of workspaces, as far as kcp publishes them. */
  public Map<LogicalCluster, WorkspacePath> paths() {
    return paths;
  }

  /** The dependencies of a rule, in the author's order. */
  public List<ResolvedDependency> dependencies(DependencyRule rule) {
    List<ResolvedDependency> known = dependencies.get(rule);
    return known == null ? resolve(rule) : known; // a rule that is newer than this snapshot
  }

  /** Whether each lookup that the rules need has succeeded or failed. */
  public boolean complete() {
    return rules.stream()
        .allMatch(rule ->
            knowsVersions(rule)
                && dependencies(rule).stream()
                    .noneMatch(dependency ->
                        dependency.authority().isEmpty()
                            || dependency.resolution() instanceof Resolution.Pending));
  }

  /** The paths in rules that belong to workspaces that bind the dependency APIExport. */
  public SortedSet<WorkspacePath> participating() {
    return Collections.unmodifiableSortedSet(participating);
  }

  /** The gravest problem of each rule that has one; the first of several. */
  public SortedMap<ObjectKey, RuleProblem> ruleProblems() {
    return Collections.unmodifiableSortedMap(ruleProblems);
  }

  /** Whether the rule may name its dependents; empty while their export is not looked up. */
  public Optional<Authority> overDependent(DependencyRule rule) {
    return dependents(rule).map(export -> Authority.overDependent(rule, export));
  }

  /** In which versions its dependents are served; empty if their export names no schema, too. */
  public Optional<VersionReading> versions(DependencyRule rule) {
    return Optional.ofNullable(versions.get(rule.key()));
  }

  /** Which of its fields its dependents cannot have; none while that is not known. */
  public FieldFindings fields(DependencyRule rule) {
    return versions.get(rule.key()) instanceof VersionReading.Served(var served)
            && served.get(rule.dependent().type().version()) instanceof ObjectSchema schema
        ? FieldFindings.of(rule, schema)
        : FieldFindings.NONE;
  }

  /** Whether the versions were looked up, if the dependents' export names a schema. */
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

  /** Whether these rules include this reading of a rule. */
  public boolean include(DependencyRule rule) {
    return dependencies.containsKey(rule);
  }

  /** Whether another snapshot says the same about a rule. */
  public boolean agree(ResolvedRules other, DependencyRule rule) {
    return include(rule)
        && other.include(rule)
        && dependencies(rule).equals(other.dependencies(rule))
        && overDependent(rule).equals(other.overDependent(rule))
        && versions(rule).equals(other.versions(rule))
        && knowsVersions(rule) == other.knowsVersions(rule);
  }

  /** The rules of each provider: of their targets, and of the dependents that are guarded. */
  public SortedMap<LogicalCluster, List<DependencyRule>> byProvider() {
    return Collections.unmodifiableSortedMap(byProvider);
  }

  /** The rules with a path that is not resolved: it may lead to any provider. */
  public List<DependencyRule> unsettled() {
    return Collections.unmodifiableList(unsettled);
  }

  private static Set<LogicalCluster> providers(
      DependencyRule rule, List<ResolvedDependency> resolved) {
    var providers = new TreeSet<LogicalCluster>();
    if (rule.guardsReferences()) {
      providers.add(rule.key().cluster());
    }
    for (ResolvedDependency dependency : resolved) {
      if (dependency.resolution() instanceof Resolution.Known(var cluster)) {
        providers.add(cluster);
      }
    }
    return providers;
  }

  private List<ResolvedDependency> resolve(DependencyRule rule) {
    Optional<ExportReading> dependents = dependents(rule);
    return rule.dependencies().stream()
        .map(dependency -> resolve(rule, dependency, dependents))
        .toList();
  }

  private ResolvedDependency resolve(
      DependencyRule rule, Dependency dependency, Optional<ExportReading> dependents) {
    Resolution resolution =
        resolutions.getOrDefault(dependency.export().path(), new Resolution.Pending());
    Membership provider = participants.membership(dependency.export().path(), resolution);
    return new ResolvedDependency(
        dependency,
        resolution,
        provider,
        dependents.flatMap(own -> authority(rule, dependency, own, provider, resolution)));
  }

  /** The export of a provider that does not take part is not read. */
  private Optional<Authority> authority(
      DependencyRule rule,
      Dependency dependency,
      ExportReading dependents,
      Membership provider,
      Resolution resolution) {
    Authority own = Authority.overDependent(rule, dependents);
    return provider == Membership.MEMBER
            && resolution instanceof Resolution.Known(var cluster)
            && own.counts()
        ? export(cluster, dependency.export().name())
            .map(targets -> Authority.of(rule, dependency, dependents, targets))
        : Optional.of(own);
  }

  private Optional<ExportReading> dependents(DependencyRule rule) {
    return export(rule.key().cluster(), rule.dependent().apiExportName());
  }

  private Optional<ExportReading> export(LogicalCluster cluster, String name) {
    return Optional.ofNullable(exports.get(new ExportKey(cluster, name)));
  }
}
