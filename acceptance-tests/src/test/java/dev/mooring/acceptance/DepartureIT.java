package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.copy;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.vpc;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.MooringProgram;
import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.Program;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.ListQuery;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import picocli.CommandLine;

/** Taking over and leaving, on services of its own: at the end nothing of them is left. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("full")
class DepartureIT {
  private static final String EXPORT = "certificates.example.corp";
  private static final String FINALIZER = "syncagent.kcp.io/cleanup";

  private static Mooring.Started started;
  private static Suite suite;
  private static DemoEnvironment stage;

  @BeforeAll
  static void start() {
    started = new Mooring.Started("departure");
    suite = started.running().suite();
    stage = started.running().stage();
    stage.blue().client().create(Types.CERTIFICATES, certificate("shop", "a.example.org"));
    awaitReady(stage.blue(), "shop");
  }

  @AfterAll
  static void stop() {
    started.close();
  }

  /** The clusters are as after a take-over: nothing is left to change, and no right is missing. */
  @Test
  @Order(1)
  void findsNothingToDoWhereTheAgentRuns() {
    Run run = migrateCheck();

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("SchemaKept", "ClaimsKept", "CopyKept", "0 to do, 0 refused")
        .doesNotContain("CopyPatched", "Missing");
    assertThat(run.status()).isZero();
  }

  @Test
  @Order(2)
  void namesTheAgentWhoseCopiesThereAre() {
    Run run = migrateCheck("--agent-name=another");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("AnotherAgentsCopy")
        .contains("start with --agent-name=" + EXPORT + "-syncagent")
        .contains("carries the name of agent " + EXPORT + "-syncagent");
  }

  @Test
  @Order(3)
  void showsTheStepsOfTheAgentAndTakesNone() {
    Run run = leaveAgent("--copies=keep");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("finalizers of consumers' objects")
        .contains("Nothing was changed. Add --yes");
    assertThat(source().hasFinalizer(FINALIZER)).isTrue();
    assertThat(copy(stage.serviceCluster(), source())).isPresent();
  }

  @Test
  @Order(4)
  void keepsCopiesAndFreesConsumersObjects() {
    KubeObject before = copy(stage.serviceCluster(), source()).orElseThrow();

    Run run = leaveAgent("--copies=keep", "--yes");

    assertThat(run.out()).contains("Left to do:");
    assertThat(run.status()).isZero();
    KubeObject kept =
        stage
            .serviceCluster()
            .client()
            .find(Types.SERVICE_CERTIFICATES, before.namespace(), before.name())
            .orElseThrow();
    assertThat(kept.uid()).isEqualTo(before.uid());
    assertThat(kept.map("spec")).isEqualTo(before.map("spec"));
    assertThat(Stream.of(kept.labels(), kept.annotations()).flatMap(map -> map.keySet().stream()))
        .noneMatch(key -> key.startsWith("syncagent.kcp.io/"));
    assertThat(source().finalizers()).noneMatch(name -> name.startsWith(FINALIZER));
    assertThat(list(stage.serviceCluster(), Types.PUBLISHED_RESOURCES)).isEmpty();
    // Run again, it has nothing to do, and a consumer's object can be deleted without the agent.
    assertThat(leaveAgent("--copies=keep", "--yes").status()).isZero();
    stage
        .blue()
        .client()
        .delete(Types.CERTIFICATES, "default", "shop", new DeleteCondition.Unconditional());
    assertThat(stage.blue().client().find(Types.CERTIFICATES, "default", "shop")).isEmpty();
  }

  @Test
  @Order(5)
  void waitsForConsumersBeforeTheExportGoes() {
    Run run = leaveAgent("--copies=keep", "--export-objects=delete", "--timeout=1", "--yes");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("APIBindings", "unfinished", "Run the command again");
    assertThat(stage.certificates().client().find(Types.API_EXPORTS, "", EXPORT)).isPresent();
  }

  @Test
  @Order(6)
  void takesProtectionOutWhileDeletionsAreRefused() {
    stage.blue().client().create(Types.VPCS, vpc("used"));
    stage.blue().client().create(Types.VIRTUAL_MACHINES, machine("user", "used"));

    Run run = run("leave", "protection", "--kubeconfig", kubeconfig(stage.dependencies()), "--yes");

    assertThat(run.out()).contains("Left to do:");
    assertThat(run.status()).isZero();
    assertThat(list(stage.compute(), Types.API_BINDINGS))
        .noneMatch(binding -> binding.name().contains("dependencies"));
    assertThat(list(stage.network(), Types.WEBHOOK_CONFIGURATIONS)).isEmpty();
    // Without the services, too: nothing asks them any more.
    suite.service(Program.DEPENDENCY_WEBHOOK).kill();
    await()
        .untilAsserted(() ->
            stage
                .blue()
                .client()
                .delete(Types.VPCS, "default", "used", new DeleteCondition.Unconditional()));
  }

  private static KubeObject source() {
    return stage.blue().client().find(Types.CERTIFICATES, "default", "shop").orElseThrow();
  }

  private static List<KubeObject> list(ClusterClient where, ResourceType type) {
    return where.client().list(type, ListQuery.ALL).items();
  }

  private static Run migrateCheck(String... more) {
    String option = "--mooring.sync-agent.";
    return run(
        Stream.concat(
                Stream.of(
                    "migrate",
                    "check",
                    "api-syncagent",
                    "--",
                    "--kubeconfig=" + suite.argument(Program.SYNC_AGENT, option + "kubeconfig"),
                    "--kcp-kubeconfig="
                        + suite.argument(Program.SYNC_AGENT, option + "kcp-kubeconfig"),
                    "--namespace=default",
                    "--apiexportendpointslice-ref=" + EXPORT),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private static Run leaveAgent(String... more) {
    return run(
        Stream.concat(
                Stream.of(
                    "leave",
                    "agent",
                    "--endpoint-slice=" + EXPORT,
                    "--kubeconfig=" + kubeconfig(stage.certificates()),
                    "--service-kubeconfig=" + kubeconfig(stage.serviceCluster())),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private static String kubeconfig(ClusterClient where) {
    return where.kubeconfig().toString();
  }

  private record Run(int status, String out, String err) {}

  private static Run run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    CommandLine program = MooringProgram.commandLine();
    program.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int status = program.execute(arguments);
    return new Run(status, out.toString(), err.toString());
  }
}
