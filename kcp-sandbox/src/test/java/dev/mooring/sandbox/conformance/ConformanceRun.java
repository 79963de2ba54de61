package dev.mooring.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** One run of {@code conformance/runner.py} with all cases, and what it said about each. */
final class ConformanceRun {
  static final Path DIRECTORY = Path.of("..", "conformance");

  /** A hung server must not hang the build; a real kcp takes seven minutes. */
  private static final Duration TIME_MAX = Duration.ofMinutes(20);

  private final String output;

  private ConformanceRun(String output) {
    this.output = output;
  }

  static void assumePython() {
    assumeTrue(
        Tools.works("python3", "-c", "import yaml"),
        "skipped: python3 with PyYAML is needed (pip install pyyaml)");
  }

  /** The names of all cases, in the order of the files. */
  static List<String> cases() {
    return Tools.run(TIME_MAX, command(List.of("--list"))).output().lines().toList();
  }

  /**
   * Runs all cases to the end, and prints texts that differ without failing a case.
   *
   * @param server the runner's options that say where the server is
   */
  static ConformanceRun of(List<String> server) {
    String output = Tools.run(TIME_MAX, command(server)).output();
    output.lines().filter(line -> line.startsWith("WORDING ")).forEach(System.out::println);
    return new ConformanceRun(output);
  }

  private static List<String> command(List<String> options) {
    var command = new ArrayList<>(List.of("python3", DIRECTORY.resolve("runner.py").toString()));
    command.addAll(options);
    try (Stream<Path> files = Files.list(DIRECTORY.resolve("cases"))) {
      files.sorted().map(Path::toString).forEach(command::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return command;
  }

  /** A test for each case: passed, failed with the runner's report, or skipped with its reason. */
  Stream<DynamicTest> tests() {
    return tests(List.of());
  }

  /** As {@link #tests()}, without the cases that were skipped for one of these reasons. */
  Stream<DynamicTest> tests(List<String> expectedReasons) {
    return cases().stream()
        .filter(name ->
            line("SKIP", name)
                .filter(line -> expectedReasons.stream().anyMatch(line::endsWith))
                .isEmpty())
        .map(name -> DynamicTest.dynamicTest(name, () -> verify(name)));
  }

  /** Whether the runner ran the case, with whatever result. */
  boolean ran(String name) {
    return line("PASS", name).isPresent() || line("FAIL", name).isPresent();
  }

  /** Everything that the runner printed. */
  String output() {
    return output;
  }

  private void verify(String name) {
    line("SKIP", name).ifPresent(reason -> abort("skipped: " + reason));
    assertThat(line("PASS", name))
        .as(() -> line("FAIL", name).map(_ -> report(name)).orElse(output))
        .isPresent();
  }

  private Optional<String> line(String result, String name) {
    return output
        .lines()
        .filter(line -> line.startsWith(result + " " + name) && isEndOfName(line, result, name))
        .findFirst();
  }

  private static boolean isEndOfName(String line, String result, String name) {
    return " :".indexOf(line.charAt(result.length() + 1 + name.length())) >= 0;
  }

  /** The line that says that the case failed, and the indented lines after it. */
  private String report(String name) {
    List<String> lines =
        output.lines().dropWhile(l -> !l.startsWith("FAIL " + name + " ")).toList();
    return lines.getFirst()
        + System.lineSeparator()
        + String.join(
            System.lineSeparator(),
            lines.stream().skip(1).takeWhile(line -> line.startsWith("     ")).toList());
  }
}
