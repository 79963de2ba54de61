package dev.mooring.cli.graph;

import dev.mooring.cli.manifest.Manifest;
import dev.mooring.cli.published.Publications;
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
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
   * @param problem why it protects nothing, or more than it should; empty if nothing is known
   */
  public record Edge(
      Manifest.Parsed rule,
      GroupResource dependent,
      GroupResource target,
      String field,
      WorkspacePath provider,
      Mode mode,
      boolean cyclic,
      String problem) {

    boolean broken() {
      return !problem.isEmpty();
    }

    /** The rule's name, and in words whether it is broken. */
    private String label() {
      return rule.object().name() + (broken() ? " (broken)" : "");
    }

    private String color() {
      return broken() ? "orange" : "red";
    }

    Map<String, Object> tree() {
      Map<String, Object> tree =
          Trees.ordered(
              "rule", rule.object().name(),
              "file", rule.file(),
              "dependent", dependent.toString(),
              "target", target.toString(),
              "provider", provider.value(),
              "field", field,
              "mode", mode.text(),
              "cyclic", cyclic);
      Trees.putUnlessEmpty(tree, "problem", problem);
      return tree;
    }
  }

  private RuleGraph() {}

  public static RuleGraph of(List<Manifest.Parsed> manifests) {
    var rules = new LinkedHashMap<RuleReading, Manifest.Parsed>();
    for (Manifest.Parsed manifest : manifests) {
      if (manifest.object().kind().equals(DependencyRule.KIND)
          && manifest.group().equals(DependencyRule.GROUP)) {
        rules.put(read(manifest.object()), manifest);
      }
    }
    ResolvedRules resolved = resolved(List.copyOf(rules.keySet()));
    var cycles = DependencyCycles.of(resolved);
    var publications = new Publications(manifests);
    var graph = new RuleGraph();
    rules.forEach((reading, manifest) -> {
      switch (reading) {
        case RuleReading.Valid(var rule) ->
            graph.add(
                manifest, rule, resolved, cycles, RuleProblems.of(manifest, rule, publications));
        case RuleReading.Invalid(var _, var _, var problems) ->
            graph.add(manifest, problems.getFirst());
      }
    });
    return graph;
  }

  /** As if all rules and types were in one workspace. */
  private static RuleReading read(KubeObject rule) {
    return DependencyRuleReader.read(
        rule.with(FILES.name(), "metadata", "annotations", LogicalCluster.ANNOTATION));
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

  private void add(
      Manifest.Parsed manifest,
      DependencyRule rule,
      ResolvedRules resolvedRules,
      DependencyCycles cycles,
      RuleProblems problems) {
    List<ResolvedDependency> dependencies = resolvedRules.dependencies(rule);
    for (int i = 0; i < dependencies.size(); i++) {
      ResolvedDependency resolved = dependencies.get(i);
      edges.add(
          new Edge(
              manifest,
              GroupResource.of(rule.dependent().type()),
              GroupResource.of(resolved.dependency().target()),
              resolved.dependency().field().text(),
              resolved.path(),
              rule.enforcement().mode(),
              cycles.contains(rule, resolved),
              problems.of(i)));
    }
  }

  /** A rule that the services ignore, by what can be read of it. */
  private void add(Manifest.Parsed manifest, String problem) {
    Object spec = manifest.object().at("spec");
    for (Object dependency : Trees.list(spec, "dependencies")) {
      edges.add(
          new Edge(
              manifest,
              type(Trees.at(spec, "dependent")),
              type(dependency),
              Trees.text(dependency, "fieldRef", "path"),
              WorkspacePath.ROOT,
              Mode.DENY,
              false,
              problem));
    }
  }

  private static GroupResource type(@Nullable Object of) {
    String resource = Trees.text(of, "resource");
    return new GroupResource(Trees.text(of, "group"), resource.isEmpty() ? "?" : resource);
  }

  /** In the order of the manifests. */
  public List<Edge> edges() {
    return List.copyOf(edges);
  }

  String mermaid() {
    var text = new StringBuilder("flowchart LR\n");
    List<GroupResource> types =
        edges.stream()
            .flatMap(edge -> Stream.of(edge.dependent(), edge.target()))
            .distinct()
            .sorted()
            .toList();
    for (int i = 0; i < types.size(); i++) {
      text.append("  t%d[\"%s\"]\n".formatted(i, types.get(i)));
    }
    for (Edge edge : edges) {
      text.append(
          "  t%d %s|%s| t%d\n"
              .formatted(
                  types.indexOf(edge.dependent()),
                  edge.mode() == Mode.DENY ? "-->" : "-.->",
                  edge.label(),
                  types.indexOf(edge.target())));
    }
    for (int i = 0; i < edges.size(); i++) {
      if (edges.get(i).cyclic() || edges.get(i).broken()) {
        text.append("  linkStyle %d stroke:%s\n".formatted(i, edges.get(i).color()));
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
                  edge.label(),
                  edge.mode() == Mode.DENY ? "" : ", style=dashed",
                  edge.cyclic() || edge.broken() ? ", color=" + edge.color() : ""));
    }
    return text.append("}\n").toString();
  }
}
