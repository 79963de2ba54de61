package dev.mooring.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.ProjectLayout;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/** What builds and publishes releases: workflows, their scripts, and the update of dependencies. */
class ReleaseFilesTest {
  private static final Path PROJECT = ProjectLayout.find().root();
  private static final Pattern PINNED =
      Pattern.compile("[a-z-]+/[a-z-]+(/[a-z-]+)?@[0-9a-f]{40} # v[0-9.]+");
  private static final Pattern SCRIPT = Pattern.compile("(?m)^(?:- run: )?(\\.ci/[a-z]+|\\./mvnw)");
  private static final Pattern RELEASE = Pattern.compile("<version>([^<]+)</version>");

  static Stream<Path> workflows() throws IOException {
    try (Stream<Path> files = Files.list(PROJECT.resolve(".github/workflows"))) {
      return files.sorted().toList().stream();
    }
  }

  /** An action's owner can move a tag, and no commit. */
  @ParameterizedTest
  @MethodSource("workflows")
  void namesEachActionByItsCommit(Path workflow) throws IOException {
    List<String> actions =
        Files.readAllLines(workflow).stream()
            .filter(line -> line.contains("uses: "))
            .map(line -> line.substring(line.indexOf("uses: ") + 6))
            .toList();

    assertThat(actions).isNotEmpty().allMatch(action -> PINNED.matcher(action).matches());
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void readsTheRepositoryUnlessAJobNeedsMore(Path workflow) throws IOException {
    assertThat(parsed(workflow).get("permissions")).isEqualTo(Map.of("contents", "read"));
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void limitsTheTimeOfEachJob(Path workflow) throws IOException {
    Map<String, Object> jobs = Trees.mapOrEmpty(parsed(workflow).get("jobs"));

    assertThat(jobs)
        .isNotEmpty()
        .allSatisfy((name, job) ->
            assertThat(Trees.mapOrEmpty(job)).as(name).containsKey("timeout-minutes"));
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void runsScriptsThatExist(Path workflow) throws IOException {
    List<String> scripts =
        Files.readString(workflow)
            .lines()
            .map(String::strip)
            .flatMap(line -> SCRIPT.matcher(line).results())
            .map(found -> found.group(1))
            .toList();

    assertThat(scripts)
        .isNotEmpty()
        .allMatch(script -> Files.isExecutable(PROJECT.resolve(script)));
  }

  @Test
  void everyFileNamesOneVersion() throws IOException, InterruptedException {
    String pom = Files.readString(PROJECT.resolve("pom.xml"));
    String version =
        RELEASE
            .matcher(pom.substring(pom.indexOf("<artifactId>mooring</artifactId>")))
            .results()
            .findFirst()
            .map(found -> found.group(1))
            .orElseThrow();
    Process check =
        new ProcessBuilder(PROJECT.resolve(".ci/version").toString(), version)
            .redirectErrorStream(true)
            .start();
    String printed = new String(check.getInputStream().readAllBytes());

    assertThat(check.waitFor()).as(printed).isZero();
  }

  /** Versions that no package manager's file holds are found by patterns. */
  @Test
  void updatesFindTheVersionsThatPatternsName() throws IOException {
    Map<String, Object> renovate = parsed(PROJECT.resolve("renovate.json"));

    for (Object manager : Trees.listOrEmpty(renovate.get("customManagers"))) {
      for (Object file : Trees.listOrEmpty(Trees.mapOrEmpty(manager).get("managerFilePatterns"))) {
        String path = file.toString().replaceAll("^/\\^|\\$/$|\\\\", "");
        String text = Files.readString(PROJECT.resolve(path));
        for (Object pattern : Trees.listOrEmpty(Trees.mapOrEmpty(manager).get("matchStrings"))) {
          assertThat(Pattern.compile(pattern.toString()).matcher(text).results())
              .as("%s in %s", pattern, path)
              .extracting(MatchResult::group)
              .isNotEmpty();
        }
      }
    }
  }

  private static Map<String, Object> parsed(Path file) throws IOException {
    return new Yaml().load(Files.readString(file));
  }
}
