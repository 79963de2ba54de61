package dev.mooring.benchmarks.protection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.PortPlan;
import dev.mooring.model.json.KubeJson;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Small runs of the whole benchmark, which itself ends if a webhook decides wrongly. */
@Tag("full")
class ProtectionBenchmarkIT {
  private static final Path WEBHOOK =
      Path.of(
          "../dependency-webhook-service/target/dependency-webhook-service/dependency-webhook-service.jar");

  @TempDir private static Path directory;
  private static KcpSandbox kcp;

  private final StringWriter errors = new StringWriter();

  @BeforeAll
  static void starts() {
    kcp = KcpSandbox.start(ServerOptions.in(directory.resolve("kcp")));
  }

  @AfterAll
  static void stops() {
    kcp.close();
  }

  @Test
  void measuresDeletionsWithFewAndManyDependents() throws IOException {
    assertThat(WEBHOOK).as("the webhook's jar; build it by ./mvnw -DskipTests package").exists();
    Path json = directory.resolve("figures.json");

    int exit =
        run(
            // Two blanks are one.
            "--webhook=" + java() + " -XX:TieredStopAtLevel=1  -XX:+UseSerialGC -jar " + WEBHOOK,
            "--modes=STRICT,INDEXED",
            "--dependents=1,30",
            "--json=" + json);

    assertThat(exit).as(errors.toString()).isZero();
    var figures = KubeJson.readObject(Files.readAllBytes(json)).map("mooring");
    var expected = new ArrayList<String>();
    for (int machines : List.of(1, 30)) {
      for (String outcome : List.of("refused", "refused after a pause", "allowed")) {
        expected.add("indexed, %d dependents, %s, p50 [ms]".formatted(machines, outcome));
      }
      for (String outcome : List.of("refused", "allowed")) {
        expected.add("strict, %d dependents, %s, p50 [ms]".formatted(machines, outcome));
      }
    }
    expected.add("20 reviews/s, just started, p99 [ms]");
    expected.add("20 reviews/s, sustained, p99 [ms]");
    assertThat(figures).containsKeys(expected.toArray(String[]::new));
  }

  @Test
  void failsWhereAWebhookAllowsTheDeletionOfAReferencedObject() {
    int exit =
        run(
            "--webhook="
                + java()
                + " -cp "
                + System.getProperty("java.class.path")
                + " "
                + AllowingWebhook.class.getName(),
            "--modes=STRICT",
            "--dependents=1");

    assertThat(exit).isNotZero();
    assertThat(errors.toString())
        .contains("networks/taken was deleted although a machine refers to it");
  }

  private int run(String... more) {
    var arguments =
        new ArrayList<>(
            List.of(
                "--kubeconfig=" + kcp.kubeconfigFile(),
                "--samples=3",
                "--warm-up=1",
                "--together=2",
                "--reviews-per-second=20",
                "--review-seconds=1",
                "--manifests=../charts/mooring/kcp",
                "--directory=" + directory.resolve("run"),
                "--port=" + PortPlan.freeNeighbours(2)));
    arguments.addAll(List.of(more));
    return new CommandLine(new ProtectionBenchmark())
        .setErr(new PrintWriter(errors, true))
        .execute(arguments.toArray(String[]::new));
  }

  private static String java() {
    return ProcessHandle.current().info().command().orElse("java");
  }
}
