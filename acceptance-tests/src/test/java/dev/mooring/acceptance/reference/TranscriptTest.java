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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the commands of the transcripts in how-to pages with the built {@code mooring.jar}, and
 * compares what they print. With {@code -Ddocs=write} the test writes the pages.
 */
class TranscriptTest {
  private static final Path ROOT = GeneratedTable.LAYOUT.root();
  private static final Path PAGES = ROOT.resolve("docs/how-to");
  private static final Pattern TRANSCRIPT =
      Pattern.compile("(?s)(?<=<!-- transcript -->\n\n```console\n).*?(?=```\n\n<!-- end -->)");
  private static final Duration COMMAND_MAX = Duration.ofMinutes(1);

  static Stream<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(PAGES)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> TRANSCRIPT.matcher(read(file)).find())
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void showsWhatTheCommandsPrint(Path page) throws IOException {
    String shown = read(page);

    String printed =
        TRANSCRIPT
            .matcher(shown)
            .replaceAll(transcript -> Matcher.quoteReplacement(rerun(transcript.group())));

    if ("write".equals(System.getProperty("docs"))) {
      Files.writeString(page, printed);
    }
    assertThat(read(page)).as("run this test with -Ddocs=write to write it").isEqualTo(printed);
  }

  /** The commands, which are the lines that begin with a dollar sign, each with its output. */
  private static String rerun(String transcript) {
    var written = new StringBuilder();
    int status = 0;
    for (String line : transcript.lines().filter(each -> each.startsWith("$ ")).toList()) {
      written.append(line).append('\n');
      if (line.equals("$ echo $?")) {
        written.append(status).append('\n');
      } else {
        Shell.Result result = run(line.substring(2));
        written.append(result.output());
        status = result.status();
      }
    }
    return written.toString();
  }

  private static Shell.Result run(String command) {
    String mooring =
        "%s -XX:TieredStopAtLevel=1 --sun-misc-unsafe-memory-access=allow -jar %s \"$@\""
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                ROOT.resolve("mooring-cli/target/mooring.jar"));
    return Shell.run(
        List.of("bash", "-c", "mooring() { " + mooring + "; }; set -o pipefail; " + command),
        Map.of("LC_ALL", "C"),
        PAGES.resolve("example"),
        COMMAND_MAX);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
