package dev.mooring.depcontroller;

import dev.mooring.depcontroller.guard.decide.Coverage;
import dev.mooring.depcontroller.guard.decide.DeletionGuard;
import dev.mooring.depcontroller.rules.decide.Participants;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.rules.decide.ResolvedRules.ExportKey;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.depcontroller.workspace.decide.VersionReading;
import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.Consistency;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.DependencyRule.Dependent;
import dev.mooring.model.dependency.DependencyRule.ExportReference;
import dev.mooring.model.dependency.Enforcement;
import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.dependency.FieldPath;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.RaceProtection;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.dependency.WhileTerminating;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Rules of a compute provider about VPCs and the like of network providers. */
public final class Fixtures {
  private Fixtures() {}

  public static DependencyRule rule(String name, Dependency... dependencies) {
    return new DependencyRule(
        new ObjectKey(new LogicalCluster("compute1"), "", name),
        4,
        new Dependent(
            "compute.example.com",
            new ResourceType("compute.example.com", "v1alpha1", "virtualmachines"),
            "VirtualMachine"),
        List.of(dependencies));
  }

  /** As {@link #rule}, enforced otherwise. */
  public static DependencyRule enforced(
      Bypass bypass, RaceProtection race, String name, Dependency... dependencies) {
    return rule(name, dependencies)
        .with(new Enforcement(Mode.DENY, WhileTerminating.BLOCK, bypass, Consistency.STRICT, race));
  }

  /** As {@link #enforced}, but it refuses nothing. */
  public static DependencyRule advisory(
      Mode mode, Bypass bypass, RaceProtection race, String name, Dependency... dependencies) {
    return rule(name, dependencies)
        .with(new Enforcement(mode, WhileTerminating.BLOCK, bypass, Consistency.STRICT, race));
  }

  /**
   * The rules, with the exports that give them authority over everything they name, and with
   * providers that all take part.
   */
  public static ResolvedRules resolvedRules(
      Map<WorkspacePath, Resolution> resolutions, DependencyRule... rules) {
    var exports = new HashMap<ExportKey, ExportReading>();
    for (DependencyRule rule : rules) {
      GroupResource dependent = GroupResource.of(rule.dependent().type());
      var own = new ExportKey(rule.key().cluster(), rule.dependent().apiExportName());
      exports.put(own, exporting(dependent));
      for (Dependency dependency : rule.dependencies()) {
        if (resolutions.get(dependency.export().path()) instanceof Resolution.Known(var cluster)) {
          exports.merge(
              new ExportKey(cluster, dependency.export().name()),
              exporting(GroupResource.of(dependency.target())),
              Fixtures::both);
        }
      }
    }
    return new ResolvedRules(
        Stream.of(rules).<RuleReading>map(RuleReading.Valid::new).toList(),
        resolutions,
        exports,
        Map.of(),
        Map.of(),
        new Participants(members(resolutions, rules), resolutions.keySet()));
  }

  private static Set<LogicalCluster> members(
      Map<WorkspacePath, Resolution> resolutions, DependencyRule... rules) {
    var members = new HashSet<LogicalCluster>();
    Stream.of(rules).forEach(rule -> members.add(rule.key().cluster()));
    for (Resolution resolution : resolutions.values()) {
      if (resolution instanceof Resolution.Known(var cluster)) {
        members.add(cluster);
      }
    }
    return members;
  }

  /** The same with these exports. */
  public static ResolvedRules reading(Map<ExportKey, ExportReading> exports, ResolvedRules of) {
    return new ResolvedRules(
        of.readings(), of.resolutions(), exports, of.versions(), of.paths(), of.participants());
  }

  /** The same where dependents are served in these versions. */
  public static ResolvedRules versioned(Map<ObjectKey, VersionReading> versions, ResolvedRules of) {
    return new ResolvedRules(
        of.readings(), of.resolutions(), of.exports(), versions, of.paths(), of.participants());
  }

  /** The same where kcp tells where these workspaces are. */
  public static ResolvedRules located(Map<LogicalCluster, WorkspacePath> paths, ResolvedRules of) {
    return new ResolvedRules(
        of.readings(), of.resolutions(), of.exports(), of.versions(), paths, of.participants());
  }

  /** The same where only authors of rules, and these providers, bind the export. */
  public static ResolvedRules bound(
      Map<LogicalCluster, WorkspacePath> providers, ResolvedRules of) {
    var members = new HashSet<>(providers.keySet());
    of.rules().forEach(rule -> members.add(rule.key().cluster()));
    return new ResolvedRules(
        of.readings(),
        of.resolutions(),
        of.exports(),
        of.versions(),
        of.paths(),
        new Participants(members, Set.copyOf(providers.values())));
  }

  public static ExportReading exporting(GroupResource... resources) {
    return new ExportReading.Found(
        new ExportFacts(
            "root:compute",
            "hash",
            new TreeSet<>(List.of(resources)),
            new TreeSet<>(),
            Optional.empty(),
            new TreeMap<>()));
  }

  private static ExportReading both(ExportReading one, ExportReading other) {
    var all = new TreeSet<>(((ExportReading.Found) one).facts().exports());
    all.addAll(((ExportReading.Found) other).facts().exports());
    return exporting(all.toArray(GroupResource[]::new));
  }

  /** Guarded as a rule guards that says nothing about it. */
  public static Coverage deletions(String... resources) {
    var deletions = new TreeMap<GroupResource, DeletionGuard>();
    for (String resource : resources) {
      deletions.put(
          new GroupResource("network.example.com", resource),
          new DeletionGuard(Bypass.ANNOTATION, RaceProtection.NONE));
    }
    return new Coverage(deletions, new TreeMap<>());
  }

  /** On a resource of {@code network.example.com/v1alpha1} in the workspace. */
  public static Dependency on(String path, String resource) {
    return on(path, resource, ".spec.ref.name");
  }

  /**
   * @param field of the dependent where the name stands
   */
  public static Dependency on(String path, String resource, String field) {
    return new Dependency(
        new ExportReference(new WorkspacePath(path), "network.example.com"),
        new ResourceType("network.example.com", "v1alpha1", resource),
        new FieldPath(field));
  }
}
