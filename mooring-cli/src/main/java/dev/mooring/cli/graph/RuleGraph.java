package dev.mooring.cli.graph;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.manifest.Manifest;
import dev.mooring.depcontroller.rules.decide.DependencyCycles;
import dev.mooring.depcontroller.rules.decide.Participants;
import dev.mooring.depcontroller.rules.decide.ResolvedDependency;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRuleReader;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The types that DependencyRules name, and which refers to which. Types are identified by group and
 * resource: files do not say in which workspace a rule is.
 */
public final class RuleGraph {
  /** Stands for every workspace. */
  private static final LogicalCluster FILES = new LogicalCluster("files");

  private final List<Edge> edges = new ArrayList<>();

  /**
   * One dependency of a rule.
   *
   * @param rule the manifest that it is from
   * @param field of the dependent, as the rule has it
   * @param provider workspace of the target, as the rule has it
   * @param cyclic whether it is part of a cycle
   */
  public record Edge(
      Manifest.Parsed rule,
      GroupResource dependent,
      GroupResource target,
      String field,
      WorkspacePath provider,
      Mode mode,
      boolean cyclic) {

    Map<String, Object> tree() {
      var tree = new LinkedHashMap<String, Object>();
      tree.put("rule", rule.object().name());
      tree.put("file", rule.file());
      tree.put("dependent", dependent.toString());
      tree.put("target", target.toString());
      tree.put("provider", provider.value());
      tree.put("field", field);
      tree.put("mode", mode.text());
      tree.put("cyclic", cyclic);
      return tree;
    }
  }

  private RuleGraph() {}

  /** Throws {@link CommandFailure} for a rule that the services would ignore. */
  public static RuleGraph of(List<Manifest.Parsed> manifests) {
    var rules = new LinkedHashMap<DependencyRule, Manifest.Parsed>();
    var readings = new ArrayList<RuleReading>();
    for (Manifest.Parsed manifest : manifests) {
      if (manifest.object().kind().equals(DependencyRule.KIND)
          && manifest.group().equals(DependencyRule.GROUP)) {
        RuleReading reading = read(manifest);
        readings.add(reading);
        if (reading instanceof RuleReading.Valid(var rule)) {
          rules.put(rule, manifest);
        }
      }
    }
    return of(rules, resolved(readings));
  }

  /** As if all rules and types were in one workspace. */
  private static RuleReading read(Manifest.Parsed manifest) {
    RuleReading reading =
        DependencyRuleReader.read(
            manifest
                .object()
                .with(FILES.name(), "metadata", "annotations", LogicalCluster.ANNOTATION));
    return switch (reading) {
      case RuleReading.Valid valid -> valid;
      case RuleReading.Invalid(var _, var _, var problems) ->
          throw CommandFailure.badInput(
              "%s:%d: %s: %s; mooring lint shows all errors"
                  .formatted(
                      manifest.file(),
                      manifest.lines().of("spec"),
                      manifest.title(),
                      problems.getFirst()));
    };
  }

  private static ResolvedRules resolved(List<RuleReading> readings) {
    var resolutions = new HashMap<WorkspacePath, Resolution>();
    RuleReading.valid(readings).stream()
        .flatMap(rule -> rule.dependencies().stream())
        .forEach(
            dependency -> resolutions.put(dependency.export().path(), new Resolution.Known(FILES)));
    return new ResolvedRules(
        readings,
        resolutions,
        Map.of(),
        Map.of(),
        Map.of(),
        new Participants(Set.of(FILES), Set.of()));
  }

  private static RuleGraph of(
      Map<DependencyRule, Manifest.Parsed> rules, ResolvedRules resolvedRules) {
    var cycles = DependencyCycles.of(resolvedRules);
    var graph = new RuleGraph();
    rules.forEach((rule, manifest) -> {
      for (ResolvedDependency resolved : resolvedRules.dependencies(rule)) {
        graph.edges.add(
            new Edge(
                manifest,
                GroupResource.of(rule.dependent().type()),
                GroupResource.of(resolved.dependency().target()),
                resolved.dependency().field().text(),
                resolved.path(),
                rule.enforcement().mode(),
                cycles.contains(rule, resolved)));
      }
    });
    return graph;
  }

  /** In the order of the manifests. */
  public List<Edge> edges() {
    return List.copyOf(edges);
  }

  SortedSet<GroupResource> types() {
    var types = new TreeSet<GroupResource>();
    edges.forEach(edge -> types.addAll(List.of(edge.dependent(), edge.target())));
    return types;
  }

  String mermaid() {
    var text = new StringBuilder("flowchart LR\n");
    List<GroupResource> types = List.copyOf(types());
    for (int i = 0; i < types.size(); i++) {
      text.append("  t%d[\"%s\"]\n".formatted(i, types.get(i)));
    }
    for (Edge edge : edges) {
      text.append(
          "  t%d %s|%s| t%d\n"
              .formatted(
                  types.indexOf(edge.dependent()),
                  edge.mode() == Mode.DENY ? "-->" : "-.->",
                  edge.rule().object().name(),
                  types.indexOf(edge.target())));
    }
    for (int i = 0; i < edges.size(); i++) {
      if (edges.get(i).cyclic()) {
        text.append("  linkStyle %d stroke:red\n".formatted(i));
      }
    }
    return text.toString();
  }

  String dot() {
    var text = new StringBuilder("digraph rules {\n  rankdir=LR;\n  node [shape=box];\n");
    for (Edge edge : edges) {
      text.append(
          "  \"%s\" -> \"%s\" [label=\"%s\"%s%s];\n"
              .formatted(
                  edge.dependent(),
                  edge.target(),
                  edge.rule().object().name(),
                  edge.mode() == Mode.DENY ? "" : ", style=dashed",
                  edge.cyclic() ? ", color=red" : ""));
    }
    return text.append("}\n").toString();
  }
}
