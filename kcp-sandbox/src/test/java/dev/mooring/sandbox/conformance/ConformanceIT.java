package dev.mooring.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.security.CertificateAuthority;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The wire cases of {@code conformance/} against a sandbox: in each area at least as many pass as
 * {@code conformance-floors.properties} says. Raise a floor when more pass; a case that newly fails
 * is a regression even while its area is above the floor.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConformanceIT {
  private static final Path CONFORMANCE = Path.of("..", "conformance");
  // A hung server must not hang the build; all areas take half a minute.
  private static final Duration TIME_MAX = Duration.ofMinutes(10);

  private KcpSandbox sandbox;
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
                "--jobs",
                "4"));
    try (Stream<Path> cases = Files.list(CONFORMANCE.resolve("cases"))) {
      cases.map(Path::toString).sorted().forEach(command::add);
    }
    lines = Tools.run(TIME_MAX, command).output().lines().toList();
  }

  @AfterAll
  void stop() {
    if (sandbox != null) {
      sandbox.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> areas() throws IOException {
    var floors = new Properties();
    try (InputStream in = getClass().getResourceAsStream("/conformance-floors.properties")) {
      floors.load(in);
    }
    return new TreeSet<>(floors.stringPropertyNames())
        .stream()
            .map(area ->
                DynamicTest.dynamicTest(
                    area, () -> passesAtLeast(area, Integer.parseInt(floors.getProperty(area)))));
  }

  private void passesAtLeast(String area, int floor) {
    long passed = lines.stream().filter(line -> line.startsWith("PASS " + area + "/")).count();
    List<String> failed =
        lines.stream()
            .filter(line -> line.startsWith("FAIL " + area + "/"))
            .map(line -> line.split(" ")[1])
            .sorted()
            .toList();
    System.out.printf(
        "conformance %s: %d of %d pass (floor %d)%s%n",
        area,
        passed,
        passed + failed.size(),
        floor,
        failed.isEmpty() ? "" : "; failed: " + String.join(", ", failed));
    assertThat(passed)
        .as("cases of %s that pass; the runner said:%n%s", area, String.join("\n", lines))
        .isGreaterThanOrEqualTo(floor);
  }
}
