package dev.mooring.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A small run of the whole benchmark, on two sandboxes. Durations are never asserted. */
@Tag("full")
class ServerBenchmarkIT {
  private static final Path SANDBOX =
      Path.of("../kcp-sandbox-server/target/kcp-sandbox.jar").toAbsolutePath();

  @TempDir private static Path directory;
  private static KubeObject document;

  @BeforeAll
  static void measures() throws IOException {
    assertThat(SANDBOX).as("the sandbox's jar; build it by ./mvnw -DskipTests package").exists();
    String server =
        java() + " -jar " + SANDBOX + " start --root-directory {directory} --secure-port {port}";
    Path json = directory.resolve("figures.json");

    int exit =
        new CommandLine(new ServerBenchmark())
            .execute(
                "--server=" + server,
                "--competitor=" + server + " --data-dir {directory}/data",
                "--starts=1",
                "--library-starts=1",
                "--workspaces=3",
                "--objects=600",
                "--watchers=150",
                "--bindings=12",
                "--directory=" + directory,
                "--json=" + json);

    assertThat(exit).isZero();
    document = KubeJson.readObject(Files.readAllBytes(json));
  }

  @Test
  void measuresTheSameOfBothServersButTheLibrary() {
    var ours = new LinkedHashSet<>(document.map("mooring").keySet());

    assertThat(ours.remove("start in a warm JVM [ms]")).isTrue();

    assertThat(ours).isEqualTo(document.map("competitor").keySet());
  }

  @Test
  void measuresEverythingThatIsAskedFor() {
    assertThat(document.map("mooring"))
        .containsKeys(
            "start until /readyz [ms]",
            "resident per workspace [MiB]",
            "live heap per workspace [KiB]",
            "API bound and served, p50 [ms]",
            "live heap per object with its history [JSONs]",
            "list in pages of 500 [ms]",
            "deletecollection of all objects [s]",
            "event seen by 150 watchers, p99 [ms]",
            "binding number 10, served [ms]",
            "list through the view of 10 bindings [ms]");
  }

  @Test
  void anObjectHasAboutAKibibyte() {
    assertThat((double) document.map("mooring").get("JSON of one object [KiB]"))
        .isBetween(1.0, 2.0);
  }

  private static String java() {
    return ProcessHandle.current().info().command().orElse("java");
  }
}
