package dev.mooring.acceptance.reference;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.acceptance.install.Shell;
import dev.mooring.harness.PortPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs {@code mooring demo}, and with it the commands of the transcripts {@code <!-- transcript:
 * demo -->}, in the directory that has {@code .demo}. The pages show the ports of the
 * documentation; the demo has free ones. Times, ages and identifiers are not compared.
 */
@Tag("full")
class TranscriptIT {
  static final Transcript ON_THE_DEMO = new Transcript("transcript: demo");

  private static final Path DIRECTORY =
      GeneratedTable.LAYOUT.root().resolve("acceptance-tests/target/transcripts");
  private static final Path OUTPUT = DIRECTORY.resolve("demo.log");
  private static final Path STORY = DIRECTORY.resolve("story.txt");
  private static final Duration DEMO_MAX = Duration.ofMinutes(10);

  /** What the demo prints once everything is up. */
  private static final String UP = "nothing is lost";

  /** From here on the demo says what the user can do. */
  private static final String STORY_END = "Look around";

  private static final Map<String, String> VOLATILE =
      Map.of(
          "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z", "TIME",
          "\\b\\d+(\\.\\d+)? ?m?[smhd]\\b", "AGE",
          ":[2-6]\\d{4}\\b", ":PORT",
          // One in 180 names of logical clusters is of letters alone.
          "\\b([a-z0-9]{16}|(?=[a-z]*\\d)[a-z0-9]{12,})\\b", "ID");

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final String JAR =
      GeneratedTable.LAYOUT.root().resolve("mooring-cli/target/mooring.jar").toString();

  private static final Map<String, String> PORTS = new LinkedHashMap<>();
  private static Process demo;

  @BeforeAll
  static void start() throws IOException {
    Files.createDirectories(DIRECTORY);
    PortPlan free = PortPlan.free();
    PortPlan documented = PortPlan.STANDARD;
    PORTS.put(port(documented.kcp()), port(free.kcp()));
    PORTS.put(port(documented.serviceCluster()), port(free.serviceCluster()));
    PORTS.put(port(documented.agent()), port(free.agent()));
    PORTS.put(port(documented.controller()), port(free.controller()));
    PORTS.put(port(documented.webhook()), port(free.webhook()));
    PORTS.put(port(documented.admission()), port(free.admission()));
    demo =
        mooring(
            List.of(
                "demo",
                "--directory=.demo",
                "--kcp-port=" + free.kcp(),
                "--service-cluster-port=" + free.serviceCluster(),
                "--agent-port=" + free.agent(),
                "--controller-port=" + free.controller(),
                "--webhook-port=" + free.webhook(),
                "--admission-port=" + free.admission()),
            OUTPUT);
    await().atMost(DEMO_MAX).until(() -> !demo.isAlive() || Files.readString(OUTPUT).contains(UP));
    String all = Files.readString(OUTPUT);
    assertThat(all).contains(UP);
    Files.writeString(STORY, all.substring(0, all.indexOf(STORY_END)).strip() + "\n");
  }

  private static String port(int number) {
    return ":" + number;
  }

  @AfterAll
  static void stop() throws InterruptedException {
    demo.destroy();
    if (!demo.waitFor(1, TimeUnit.MINUTES)) {
      demo.descendants().forEach(ProcessHandle::destroyForcibly);
      demo.destroyForcibly();
    }
  }

  static List<Path> pages() {
    return ON_THE_DEMO.pages();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void showsWhatTheCommandsPrint(Path page) {
    ON_THE_DEMO.mustBeWhatIsPrinted(page, TranscriptIT::run, TranscriptIT::stable);
  }

  /** The command as it is documented. */
  private static Shell.Result run(String command) {
    if (command.startsWith("mooring sandbox ")) {
      return interrupted(command.substring("mooring ".length()));
    }
    // It has run already.
    String here = command.replaceFirst("^mooring demo(?= |$)", "cat " + STORY.getFileName());
    for (Map.Entry<String, String> port : PORTS.entrySet()) {
      here = here.replace(port.getKey(), port.getValue());
    }
    Shell.Result result = Transcript.run(here, DIRECTORY);
    return new Shell.Result(result.status(), documented(result.output()));
  }

  /** A command that serves until Ctrl-C, which it gets as soon as it says that it is ready. */
  private static Shell.Result interrupted(String arguments) {
    Path output = DIRECTORY.resolve("interrupted.log");
    try {
      Process server = mooring(List.of(arguments.split(" ")), output);
      await()
          .atMost(DEMO_MAX)
          .until(() -> !server.isAlive() || Files.readString(output).contains("is ready"));
      server.destroy();
      server.onExit().join();
      return new Shell.Result(0, documented(Files.readString(output)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Process mooring(List<String> arguments, Path output) throws IOException {
    var command =
        new ArrayList<>(List.of(JAVA, "--sun-misc-unsafe-memory-access=allow", "-jar", JAR));
    command.addAll(arguments);
    var process =
        new ProcessBuilder(command)
            .directory(DIRECTORY.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    // Documented is the demo of the sandbox with one shard.
    process.environment().keySet().removeAll(List.of("KCP_KUBECONFIG", "KCP_SHARDS"));
    return process.start();
  }

  private static String documented(String printed) {
    String documented = printed.replace(DIRECTORY + "/", "");
    for (Map.Entry<String, String> port : PORTS.entrySet()) {
      documented = documented.replace(port.getValue(), port.getKey());
    }
    return documented;
  }

  /** Widths of columns depend on ages. */
  private static String stable(String page) {
    String stable = page;
    for (Map.Entry<String, String> each : VOLATILE.entrySet()) {
      stable = stable.replaceAll(each.getKey(), each.getValue());
    }
    return stable.replaceAll(" {2,}", "  ");
  }
}
