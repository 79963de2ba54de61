package dev.mooring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MooringProgramTest {
  @TempDir Path directory;

  /** Of commands at every depth, such as {@code migrate check}. */
  static List<String> names() {
    return names("", MooringProgram.commandLine()).toList();
  }

  private static Stream<String> names(String above, CommandLine command) {
    return command.getSubcommands().entrySet().stream()
        .flatMap(entry ->
            Stream.concat(
                Stream.of(above + entry.getKey()),
                names(above + entry.getKey() + " ", entry.getValue())));
  }

  @Test
  void showsHelpWithoutACommand() {
    CommandRun run = CommandRun.of();

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("Usage: mooring").contains("Exit status:");
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyCommandHasHelpWithExamplesAndExitStatus(String command) {
    CommandRun run = CommandRun.of((command + " --help").split(" "));

    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("Usage: mooring " + command)
        .contains("Exit status:")
        .containsPattern("Examples?:\\R  .*mooring " + command);
  }

  @Test
  void namesTheCommandsHelpForAnUnknownOption() {
    CommandRun run = CommandRun.of("lint", "--colour", "x");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("mooring: Unknown option: '--colour'; see mooring lint --help\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-- "})
  void checksTheFlagsOfAGoProgramAsItRunsWithThem(String before) {
    CommandRun run =
        CommandRun.of(
            ("migrate check api-syncagent -o json " + before + "--kubeconfig=a --namespace=b")
                .split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "mooring: --kcp-kubeconfig is missing: name the flags that the agent runs with, as in"
                + " mooring migrate check api-syncagent --kcp-kubeconfig=…\n");
  }

  @Test
  void saysWhichFileDoesNotExist() {
    CommandRun run = CommandRun.of("lint", directory.resolve("absent.yaml").toString());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("mooring: " + directory.resolve("absent.yaml") + " does not exist\n");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void refusesABinaryFile() throws IOException {
    Path file = Files.write(directory.resolve("a.yaml"), new byte[] {(byte) 0xca, (byte) 0xfe, 0});

    CommandRun run = CommandRun.of("lint", file.toString());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("is not a text file in UTF-8").hasLineCount(1);
  }

  @Test
  void refusesAHugeFile() throws IOException {
    Path file = Files.write(directory.resolve("a.yaml"), new byte[8 * 1024 * 1024 + 1]);

    CommandRun run = CommandRun.of("lint", file.toString());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("is larger than 8 MiB").hasLineCount(1);
  }

  @Test
  void saysThatADirectoryHoldsNothingToCheck() throws IOException {
    Files.writeString(directory.resolve("values.yaml"), "replicas: 1\n", StandardCharsets.UTF_8);

    CommandRun run = CommandRun.of("lint", directory.toString());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("there is no PublishedResource, DependencyRule or");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void completesEveryCommandInEveryShell(String shell) {
    CommandRun run = CommandRun.of("completion", shell);

    assertThat(run.status()).isZero();
    assertThat(names())
        .allSatisfy(
            name -> assertThat(run.out()).contains(name.substring(name.lastIndexOf(' ') + 1)));
    assertThat(run.out()).contains("output");
  }
}
