package dev.mooring.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Builds of their own that know nothing but the coordinates of the published artifacts: the
 * examples on the class path, and one on the module path.
 */
@Tag("full")
class MavenExamplesIT {
  @TempDir private static Path directory;

  @BeforeAll
  static void publish() throws IOException {
    Path published = directory.resolve("published");
    Clone.publish(published);
    // What this machine has need not be fetched again; what it lacks comes from Maven Central.
    String machine =
        System.getProperty("localRepository", System.getProperty("user.home") + "/.m2/repository");
    Files.writeString(
        directory.resolve("settings.xml"),
        SETTINGS.formatted(published.toUri(), Path.of(machine).toUri(), Path.of(machine).toUri()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"examples/junit-fabric8", "examples/junit-client-java", "examples/junit-modules"})
  void passes(String example) throws IOException, InterruptedException {
    passes(Clone.root().resolve(example));
  }

  /** What docs/sandbox/junit.md shows, pasted into a directory that held nothing. */
  @Test
  void thePageIsACompleteProject() throws IOException, InterruptedException {
    String page = Files.readString(Clone.root().resolve("docs/sandbox/junit.md"));
    Path project = directory.resolve("pasted");
    Path tests = Files.createDirectories(project.resolve("src/test/java"));
    Files.writeString(project.resolve("pom.xml"), firstBlock(page, "xml"));
    Files.writeString(tests.resolve("BucketsTest.java"), firstBlock(page, "java"));

    passes(project);
  }

  /** Gradle itself is not run: its build names the artifacts that Maven's has run with. */
  @Test
  void theGradleBuildOfThePageNamesTheSameArtifacts() throws IOException {
    String page = Files.readString(Clone.root().resolve("docs/sandbox/junit.md"));
    String gradle = firstBlock(page, "kotlin");

    Matcher dependency =
        Pattern.compile(
                "<groupId>(.*)</groupId>\\s*<artifactId>(.*)</artifactId>"
                    + "(?:\\s*<version>(.*)</version>)?\\s*<(?:scope|type)>")
            .matcher(firstBlock(page, "xml"));
    assertThat(dependency.results().toList())
        .hasSize(4)
        .allSatisfy(found ->
            assertThat(gradle)
                .contains(
                    "(\"%s:%s%s\")"
                        .formatted(
                            found.group(1),
                            found.group(2),
                            found.group(3) == null ? "" : ":" + found.group(3))));
  }

  private static String firstBlock(String page, String language) {
    Matcher block =
        Pattern.compile("^```" + language + "\\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(page);
    assertThat(block.find()).as(language).isTrue();
    return block.group(1);
  }

  private static void passes(Path project) throws IOException, InterruptedException {
    var maven =
        new Command(
            Clone.root(),
            List.of(
                Clone.root().resolve("mvnw").toString(),
                "-B",
                "-ntp",
                "-gs",
                directory.resolve("settings.xml").toString(),
                "-Dmaven.repo.local=" + directory.resolve("local"),
                "-f",
                project.resolve("pom.xml").toString(),
                "test"),
            Map.of("JAVA_HOME", System.getProperty("java.home")));

    Command.Outcome outcome = maven.run();

    assertThat(outcome.status()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .containsPattern("Tests run: [1-9][0-9]*, Failures: 0, Errors: 0, Skipped: 0");
  }

  private static final String SETTINGS =
      """
      <settings>
        <profiles>
          <profile>
            <id>here</id>
            <repositories>
              <repository>
                <id>published</id>
                <url>%s</url>
                <releases><checksumPolicy>ignore</checksumPolicy></releases>
                <snapshots><checksumPolicy>ignore</checksumPolicy></snapshots>
              </repository>
              <repository>
                <id>machine</id>
                <url>%s</url>
                <releases><checksumPolicy>ignore</checksumPolicy></releases>
                <snapshots><enabled>false</enabled></snapshots>
              </repository>
            </repositories>
            <pluginRepositories>
              <pluginRepository>
                <id>machine</id>
                <url>%s</url>
                <releases><checksumPolicy>ignore</checksumPolicy></releases>
                <snapshots><enabled>false</enabled></snapshots>
              </pluginRepository>
            </pluginRepositories>
          </profile>
        </profiles>
        <activeProfiles>
          <activeProfile>here</activeProfile>
        </activeProfiles>
      </settings>
      """;
}
