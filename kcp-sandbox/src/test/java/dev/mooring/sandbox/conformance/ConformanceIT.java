package dev.mooring.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The wire cases of {@code conformance/} against a sandbox: all of them pass, area by area. Cases
 * that wait for something get three times as long as on kcp, for a busy machine.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConformanceIT {
  private static final Path CONFORMANCE = Path.of("..", "conformance");
  private static final Pattern NAME =
      Pattern.compile("(?<=^- name: )([a-z]+)/[a-z0-9-]+", Pattern.MULTILINE);
  // A hung server must not hang the build; all areas take half a minute.
  private static final Duration TIME_MAX = Duration.ofMinutes(10);

  private KcpSandbox sandbox;
  private KcpSandbox sharded;
  private List<String> lines;

  @BeforeAll
  void run(@TempDir Path directory) throws IOException {
    assumeTrue(
        Tools.works("python3", "-c", "import yaml"),
        "skipped: python3 with PyYAML is needed (pip install pyyaml)");
    Path clients = directory.resolve("clients");
    CertificateAuthority.in(clients, Instant.now());
    sandbox =
        KcpSandbox.start(
            ServerOptions.in(directory)
                .withTokenFile(CONFORMANCE.resolve("tokens.csv"))
                .withClientCaFile(clients.resolve("ca.crt")));
    sharded = KcpSandbox.start(ServerOptions.in(directory.resolve("sharded")).withShards(2));
    // All at once: most of what a case takes is waiting, and reading the cases takes seconds.
    var command =
        new ArrayList<>(
            List.of(
                "python3",
                CONFORMANCE.resolve("runner.py").toString(),
                "--kubeconfig",
                sandbox.kubeconfigFile().toString(),
                "--client-ca",
                clients.resolve("ca.crt").toString(),
                "--client-ca-key",
                clients.resolve("ca.key").toString(),
                "--front-proxy",
                sharded.url().toString(),
                "--jobs",
                "4",
                "--slow",
                "3"));
    caseFiles().forEach(file -> command.add(file.toString()));
    lines = Tools.run(TIME_MAX, command).output().lines().toList();
  }

  @AfterAll
  void stop() {
    if (sharded != null) {
      sharded.close();
    }
    if (sandbox != null) {
      sandbox.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> areas() throws IOException {
    var areas = new TreeMap<String, List<String>>();
    for (Path file : caseFiles()) {
      NAME.matcher(Files.readString(file))
          .results()
          .forEach(name ->
              areas.computeIfAbsent(name.group(1), _ -> new ArrayList<>()).add(name.group()));
    }
    return areas.entrySet().stream()
        .map(area -> DynamicTest.dynamicTest(area.getKey(), () -> allPass(area.getValue())));
  }

  private void allPass(List<String> cases) {
    assertThat(cases)
        .as("cases that pass; the runner said:%n%s", String.join("\n", lines))
        .allMatch(name -> lines.stream().anyMatch(line -> line.startsWith("PASS " + name + " ")));
  }

  private static List<Path> caseFiles() throws IOException {
    try (Stream<Path> cases = Files.list(CONFORMANCE.resolve("cases"))) {
      return cases.sorted().toList();
    }
  }
}
