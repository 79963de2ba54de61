package dev.mooring.acceptance.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.MooringProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

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
    Set<String> unshown = leaves("mooring", MooringProgram.commandLine());
    unshown.removeIf(
        command -> shown.stream().anyMatch(line -> (line + " ").contains(command + " ")));

    assertThat(unshown).isEmpty();
  }

  /** Commands that have none below them. */
  private static Set<String> leaves(String name, CommandLine command) {
    var leaves = new TreeSet<String>();
    command
        .getSubcommands()
        .forEach((below, each) -> leaves.addAll(leaves(name + " " + below, each)));
    return leaves.isEmpty() ? new TreeSet<>(Set.of(name)) : leaves;
  }
}
