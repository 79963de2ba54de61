package dev.mooring.cli.graph;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.ExitCode;
import dev.mooring.cli.live.Lists;
import dev.mooring.cli.live.LiveOptions;
import dev.mooring.cli.manifest.Manifest;
import dev.mooring.cli.manifest.ManifestReader;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.output.Table;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.runtime.client.ListQuery;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mooring graph}. */
@Command(
    name = "graph",
    description = {
      "Draws which types refer to which by DependencyRules. Cycles are red, or marked. Rules that"
          + " the services do not accept, or whose field or export is missing, are orange, or"
          + " marked.",
      "Without files the rules of a workspace are read, and their status. Types are identified by"
          + " group and resource: files do not say in which workspace a rule is."
    },
    footer = {
      "%nExamples:",
      "  mooring graph rules/",
      "  mooring graph rules/ -o mermaid > rules.mmd",
      "  mooring graph rules/ -o dot | dot -Tsvg > rules.svg",
      "  mooring graph --workspace root:org:network"
    })
public final class GraphCommand implements Callable<Integer> {
  /** How the graph is printed; in lower case, as users type it. */
  private enum Format {
    table,
    mermaid,
    dot,
    json,
    yaml
  }

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "YAML or JSON files, directories, or - for standard input.")
  private List<String> files = List.of();

  @Mixin private LiveOptions live;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Format format = Format.table;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    RuleGraph graph =
        RuleGraph.of(
            files.isEmpty() ? readWorkspace() : ManifestReader.readObjects(files, System.in));
    if (graph.edges().isEmpty()) {
      throw CommandFailure.badInput(
          "there is no DependencyRule in "
              + (files.isEmpty() ? "the workspace" : String.join(", ", files)));
    }
    PrintWriter out = spec.commandLine().getOut();
    switch (format) {
      case mermaid -> out.print(graph.mermaid());
      case dot -> out.print(graph.dot());
      case table -> table(graph).lines().forEach(out::println);
      case json -> out.println(OutputOptions.json(tree(graph)));
      case yaml -> out.print(OutputOptions.yaml(tree(graph)));
    }
    out.flush();
    return ExitCode.OK;
  }

  private List<Manifest.Parsed> readWorkspace() {
    try (LiveOptions.Server server = live.server()) {
      return Lists.all(server.client(), DependencyRule.TYPE, ListQuery.ALL).stream()
          .map(rule ->
              rule.with(DependencyRule.KIND, "kind")
                  .with(DependencyRule.TYPE.apiVersion(), "apiVersion"))
          .map(rule -> Manifest.Parsed.ofServer(server.client().url().toString(), rule))
          .toList();
    }
  }

  private static Table table(RuleGraph graph) {
    return new Table(
        List.of("DEPENDENT", "FIELD", "TARGET", "RULE", "MODE", "CYCLE", "PROBLEM"),
        graph.edges().stream()
            .map(edge ->
                List.of(
                    edge.dependent().toString(),
                    edge.field(),
                    edge.target().toString(),
                    edge.rule().object().name(),
                    edge.mode().text(),
                    edge.cyclic() ? "yes" : "",
                    edge.problem()))
            .toList());
  }

  private static List<Object> tree(RuleGraph graph) {
    return graph.edges().stream().<Object>map(RuleGraph.Edge::tree).toList();
  }
}
