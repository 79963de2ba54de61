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

  /** With its type among the files, whose field has another name. */
  @Test
  void marksARuleWhoseFieldTheSchemaLacks() {
    CommandRun run =
        CommandRun.withInput(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: virtualmachines.compute.example.corp}
            spec:
              group: compute.example.corp
              names: {plural: virtualmachines, kind: VirtualMachine}
              versions: [{name: v1alpha1, schema: {openAPIV3Schema: {type: object}}}]
            """,
            "graph",
            RULES,
            "-",
            "-o",
            "mermaid");

    assertThat(run.out())
        .contains("t0 -->|machines (broken)| t1", "t1 -.->|networks| t2")
        .contains("linkStyle 0 stroke:orange", "linkStyle 2 stroke:red");
  }

  @Test
  void marksARuleThatTheServicesIgnore() {
    CommandRun run =
        CommandRun.withInput(
            """
            apiVersion: dependencies.opendefense.cloud/v1alpha1
            kind: DependencyRule
            metadata: {name: ignored}
            spec: {dependent: {resource: vms}, dependencies: [{group: example.corp}]}
            """,
            "graph",
            "-");

    assertThat(run.status()).isZero();
    assertThat(run.out()).containsPattern("vms .*[?].example.corp .*apiExportName is missing");
  }
}
