package dev.mooring.acceptance.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.MooringProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the commands of the transcripts that need no server, among the examples of the how-tos. */
class TranscriptTest {
  private static final Transcript OFFLINE = new Transcript("transcript");
  private static final Path EXAMPLES = GeneratedTable.LAYOUT.root().resolve("docs/how-to/example");

  static List<Path> pages() {
    return OFFLINE.pages();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void showsWhatTheCommandsPrint(Path page) {
    OFFLINE.mustBeWhatIsPrinted(
        page, command -> Transcript.run(command, EXAMPLES), printed -> printed);
  }

  @Test
  void everyCommandHasATranscript() {
    List<String> shown =
        Stream.of(OFFLINE, TranscriptIT.ON_THE_DEMO)
            .flatMap(transcript -> transcript.commands().stream())
            .toList();
    var unshown = new TreeSet<>(MooringProgram.commandLine().getSubcommands().keySet());
    // A script for shells, of several hundred lines.
    unshown.remove("completion");
    unshown.removeIf(command ->
        shown.stream().anyMatch(line -> (line + " ").contains("mooring " + command + " ")));

    assertThat(unshown).isEmpty();
  }
}
