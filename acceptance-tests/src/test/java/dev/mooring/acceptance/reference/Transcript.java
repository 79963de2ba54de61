package dev.mooring.acceptance.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.acceptance.install.Shell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Blocks of documentation that show what commands print, between the lines {@code <!-- transcript
 * -->} and {@code <!-- end -->}. A line that begins with a dollar sign is a command, and what
 * follows is its output. To add one, write the commands and run the test with {@code -Ddocs=write}.
 *
 * @param marker of the blocks, such as {@code transcript}
 */
record Transcript(String marker) {
  private static final Path ROOT = GeneratedTable.LAYOUT.root();
  private static final Duration COMMAND_MAX = Duration.ofMinutes(5);

  /** Pages that have such blocks. */
  List<Path> pages() {
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> block().matcher(read(file)).find())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The commands of all pages, in their order. */
  List<String> commands() {
    return pages().stream()
        .flatMap(page -> block().matcher(read(page)).results())
        .flatMap(found -> found.group().lines())
        .filter(line -> line.startsWith("$ "))
        .map(line -> line.substring(2))
        .toList();
  }

  /**
   * Runs the commands of the page and compares their output, or writes it.
   *
   * @param run gives what a command prints
   * @param stable replaces what differs from run to run
   */
  void mustBeWhatIsPrinted(
      Path page, Function<String, Shell.Result> run, UnaryOperator<String> stable) {
    String printed =
        block()
            .matcher(read(page))
            .replaceAll(shown -> Matcher.quoteReplacement(rerun(shown.group(), run)));
    if ("write".equals(System.getProperty("docs"))
        && !stable.apply(printed).equals(stable.apply(read(page)))) {
      write(page, printed);
    }
    assertThat(stable.apply(read(page)))
        .as("run this test with -Ddocs=write to write %s", page)
        .isEqualTo(stable.apply(printed));
  }

  /** With the built {@code mooring.jar} as {@code mooring}. */
  static Shell.Result run(String command, Path directory) {
    String mooring =
        "%s -XX:TieredStopAtLevel=1 --sun-misc-unsafe-memory-access=allow -jar %s \"$@\""
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                ROOT.resolve("mooring-cli/target/mooring.jar"));
    return Shell.run(
        List.of("bash", "-c", "mooring() { " + mooring + "; }; set -o pipefail; " + command),
        Map.of("LC_ALL", "C"),
        directory,
        COMMAND_MAX);
  }

  private static String rerun(String shown, Function<String, Shell.Result> run) {
    var written = new StringBuilder();
    int status = 0;
    for (String line : shown.lines().filter(each -> each.startsWith("$ ")).toList()) {
      written.append(line).append('\n');
      if (line.equals("$ echo $?")) {
        written.append(status).append('\n');
      } else {
        Shell.Result result = run.apply(line.substring(2));
        written.append(result.output());
        status = result.status();
      }
    }
    return written.toString();
  }

  private Pattern block() {
    return Pattern.compile(
        "(?s)(?<=<!-- " + marker + " -->\n\n```console\n).*?(?=```\n\n<!-- end -->)");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
