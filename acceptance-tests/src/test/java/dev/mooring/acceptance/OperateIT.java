package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.Program;
import dev.mooring.harness.Suite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code mooring status} and {@code mooring resync} with the running services. */
@ExtendWith(Mooring.class)
@Tag("full")
@Order(Integer.MAX_VALUE - 1)
class OperateIT {
  private Suite suite;
  private ClusterClient blue;
  private ClusterClient compute;
  private ClusterClient network;
  private ClusterClient service;

  @BeforeEach
  void take(Mooring.Running running) {
    suite = running.suite();
    blue = running.stage().blue();
    compute = running.stage().compute();
    network = running.stage().network();
    service = running.stage().serviceCluster();
  }

  @Test
  void showsServicesPublishedResourcesAndRulesInOneTable() {
    await()
        .untilAsserted(() -> {
          MooringRun run = status();
          assertThat(run.err()).isEmpty();
          assertThat(rows(run))
              .containsSubsequence(
                  "sync agent ready",
                  "dependency controller ready",
                  "dependency webhook ready",
                  "DependencyRule/virtual-machines ready",
                  "PublishedResource/certificates ready");
          assertThat(run.out().lines().skip(1).limit(3))
              .allSatisfy(line -> assertThat(line).matches(".* ready +\\d+[smhd] +\\d+\\.\\d+.*"));
        });
  }

  @Test
  void aServiceThatIsStoppedIsOneLineOfTheTable() {
    suite.service(Program.DEPENDENCY_WEBHOOK).kill();
    try {
      MooringRun run = status();
      assertThat(run.status()).isEqualTo(1);
      assertThat(rows(run)).contains("sync agent ready", "dependency webhook unknown");
      assertThat(run.out()).containsOnlyOnce("Unreachable").contains("correct --webhook-url");
    } finally {
      suite.relaunch(Program.DEPENDENCY_WEBHOOK);
      suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
    }
  }

  @Test
  void resyncsEverything() {
    MooringRun run = run(blue, urls("resync"));

    assertThat(run.out().lines().map(OperateIT::words).skip(1))
        .containsExactly(
            "sync agent all accepted",
            "dependency controller all accepted",
            "dependency webhook all accepted");
    assertThat(run.status()).isZero();
  }

  @Test
  void resyncsOneObject() {
    blue.client().create(Types.CERTIFICATES, certificate("resynced", "a.example.org"));
    awaitReady(blue, "resynced");

    MooringRun run = run(blue, List.of("resync", "certificates", "resynced", agentUrl()));

    assertThat(run.out().lines().map(OperateIT::words).skip(1))
        .containsExactly("sync agent certificates default/resynced accepted");
    assertThat(run.status()).isZero();
  }

  @Test
  void resyncsOneProvider(Mooring.Running running) {
    String path = running.stage().org().child("network").value();
    String cluster =
        network
            .client()
            .find(Types.LOGICAL_CLUSTERS, "", "cluster")
            .orElseThrow()
            .logicalCluster()
            .orElseThrow()
            .name();

    for (String named : List.of(path, cluster)) {
      MooringRun run = run(blue, with(urls("resync"), "--provider=" + named));

      assertThat(run.out().lines().map(OperateIT::words).skip(1))
          .containsExactly(
              "dependency controller " + named + " accepted",
              "dependency webhook " + named + " accepted");
      assertThat(run.status()).isZero();
    }
  }

  @Test
  void saysInOneLineThatThereIsNothingToResync() {
    MooringRun object = run(blue, List.of("resync", "certificates", "absent", agentUrl()));
    MooringRun published = run(blue, List.of("resync", "absent", agentUrl()));

    MooringRun provider = run(blue, with(urls("resync"), "--provider=root:absent"));
    MooringRun cluster = run(blue, with(urls("resync"), "--provider=absent"));

    assertThat(provider.status()).as("kcp refuses what does not exist").isEqualTo(3);
    assertThat(provider.err()).hasLineCount(1);
    assertThat(cluster.status()).isEqualTo(1);
    assertThat(cluster.out())
        .contains("no DependencyRule names a provider in logical cluster absent");
    assertThat(object.status()).isEqualTo(2);
    assertThat(object.err()).contains("there is no certificates").hasLineCount(1);
    assertThat(published.status()).isEqualTo(1);
    assertThat(published.out()).contains("refused   there is no PublishedResource absent");
  }

  @ParameterizedTest
  @EnumSource(names = {"SYNC_AGENT", "DEPENDENCY_CONTROLLER", "DEPENDENCY_WEBHOOK"})
  void aServiceHasCarriersForABurst(Program service) throws Exception {
    var process = VirtualMachine.attach(String.valueOf(suite.service(service).pid()));
    try {
      assertThat(process.getSystemProperties())
          .containsEntry("jdk.virtualThreadScheduler.parallelism", "256");
    } finally {
      process.detach();
    }
  }

  /** Boot's loader of jars within a jar lets threads that load classes wait for each other. */
  @ParameterizedTest
  @EnumSource(names = {"SYNC_AGENT", "DEPENDENCY_CONTROLLER", "DEPENDENCY_WEBHOOK"})
  void aServiceStartsWithItsLibrariesAsFiles(Program service) throws IOException {
    try (var jar = new JarFile(suite.layout().jar(service).toFile())) {
      assertThat(jar.stream()).noneMatch(entry -> entry.getName().endsWith(".jar"));
    }
  }

  private MooringRun status() {
    return run(
        compute,
        Stream.concat(
                urls("status").stream(), Stream.of("--service-kubeconfig=" + service.kubeconfig()))
            .toList());
  }

  private List<String> urls(String command) {
    return List.of(
        command,
        agentUrl(),
        "--controller-url=http://127.0.0.1:" + suite.ports().controller(),
        "--webhook-url=http://127.0.0.1:" + suite.ports().webhook());
  }

  private static List<String> with(List<String> arguments, String more) {
    return Stream.concat(arguments.stream(), Stream.of(more)).toList();
  }

  private String agentUrl() {
    return "--agent-url=http://127.0.0.1:" + suite.ports().agent();
  }

  private static MooringRun run(ClusterClient where, List<String> arguments) {
    var all = new ArrayList<>(arguments);
    all.add(1, "--kubeconfig=" + where.kubeconfig());
    return MooringRun.of(all);
  }

  /** Object and state of each. */
  private static List<String> rows(MooringRun run) {
    return run.out()
        .lines()
        .map(line -> line.split(" {3,}"))
        .filter(cells -> cells.length > 1)
        .map(cells -> cells[0] + " " + cells[1])
        .toList();
  }

  private static String words(String line) {
    return line.replaceAll(" +", " ");
  }
}
