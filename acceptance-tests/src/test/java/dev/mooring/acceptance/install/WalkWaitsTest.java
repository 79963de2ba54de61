package dev.mooring.acceptance.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.ProjectLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The waits of docs/getting-started/on-a-real-kcp.md, in bash, for something that never comes; the
 * bound is shortened.
 */
class WalkWaitsTest {
  private static final String COMMANDS =
      Page.read(ProjectLayout.find().file("docs/getting-started/on-a-real-kcp.md"))
          .blocks()
          .stream()
          .map(Page.Block::commands)
          .collect(Collectors.joining());
  private static final Pattern RETRY =
      Pattern.compile("^retry\\(\\) \\{.*?^}$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern BOUND = Pattern.compile("\\{1\\.\\.90}");

  /** The page's other waits are kubectl's, which ends them with a reason. */
  private static final Pattern LOOP =
      Pattern.compile("^.*\\b(until|while|for _ in)\\b.*$", Pattern.MULTILINE);

  @TempDir Path directory;

  @Test
  void haveABoundEach() {
    assertThat(LOOP.matcher(COMMANDS).results().map(MatchResult::group))
        .singleElement()
        .satisfies(loop -> assertThat(retry()).contains(loop));
    assertThat(COMMANDS.lines().filter(line -> line.contains(" --for=")))
        .hasSizeGreaterThan(5)
        .allMatch(line -> line.contains(" --timeout="));
  }

  @Test
  void endWithTheReasonOfTheLastTry() {
    Shell.Result result =
        waitFor(
            """
            tries=$directory/tries
            absent() { echo x >> "$tries"; echo "no answer $(wc -l < "$tries")"; echo "refused" >&2; false; }
            """,
            "retry absent");

    assertThat(result.output()).isEqualTo("no answer 3\nrefused\n");
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void endAtOnceWithoutAWordWhereItIsThere() {
    Shell.Result result = waitFor("there() { echo here; }", "retry there && echo 'goes on'");

    assertThat(result.output()).isEqualTo("goes on\n");
    assertThat(result.status()).isZero();
  }

  /** As a reader runs the page, where a failure is to end what follows. */
  private Shell.Result waitFor(String what, String command) {
    String script =
        "set -euo pipefail\nsleep() { :; }\n" + shortened(retry()) + "\n" + what + "\n" + command;
    return Shell.run(
        List.of("bash", "-c", script),
        Map.of("directory", directory.toString()),
        directory,
        Duration.ofMinutes(1));
  }

  private static String retry() {
    return RETRY.matcher(COMMANDS).results().map(MatchResult::group).findFirst().orElseThrow();
  }

  private static String shortened(String function) {
    assertThat(BOUND.matcher(function).results()).as("the bound, three minutes").hasSize(1);
    return BOUND.matcher(function).replaceAll("{1..3}");
  }
}
