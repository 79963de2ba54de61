package dev.mooring.cli.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.CommandRun;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import org.junit.jupiter.api.Test;

class GraphCommandTest {
  private static final String RULES =
      ProjectLayout.find().file("docs/how-to/example/rules.yaml").toString();

  @Test
  void marksOnlyDependenciesThatArePartOfACycle() {
    CommandRun run = CommandRun.of("graph", RULES, "-o", "json");

    assertThat(Trees.listOrEmpty(KubeJson.read(run.out())))
        .extracting(edge -> Trees.at(edge, "rule"), edge -> Trees.at(edge, "cyclic"))
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("machines", false),
            org.assertj.core.groups.Tuple.tuple("networks", false),
            org.assertj.core.groups.Tuple.tuple("peerings", true));
  }

  @Test
  void drawsMermaid() {
    assertThat(CommandRun.of("graph", RULES, "-o", "mermaid").out())
        .isEqualTo(
            """
            flowchart LR
              t0["virtualmachines.compute.example.corp"]
              t1["subnets.network.example.corp"]
              t2["vpcs.network.example.corp"]
              t0 -->|machines| t1
              t1 -.->|networks| t2
              t2 -->|peerings| t2
              linkStyle 2 stroke:red
            """);
  }

  @Test
  void drawsDot() {
    assertThat(CommandRun.of("graph", RULES, "-o", "dot").out())
        .startsWith("digraph rules {")
        .contains("label=\"networks\", style=dashed]")
        .contains("label=\"peerings\", color=red]");
  }

  @Test
  void namesTheLineOfARuleThatTheServicesIgnore() {
    CommandRun run =
        CommandRun.withInput(
            """
            apiVersion: dependencies.opendefense.cloud/v1alpha1
            kind: DependencyRule
            metadata: {name: empty}
            spec: {}
            """,
            "graph",
            "-");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("mooring: <stdin>:4: DependencyRule/empty: ")
        .contains("mooring lint shows all errors");
  }
}
