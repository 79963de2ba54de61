package dev.mooring.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * mvnw with a Maven that is only a script: what it downloads, checks and runs, and on which JDK.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
class MavenWrapperTest {
  private static final Path WRAPPER = ProjectLayout.find().root().resolve("mvnw");

  /** Of no JDK on the machine that runs this test. */
  private static final String JDK = "99";

  @TempDir Path scratch;
  private Path archive;

  @BeforeEach
  void packAMaven() throws Exception {
    Path bin = scratch.resolve("pack/apache-maven-3.9.16/bin");
    Files.createDirectories(bin);
    Files.writeString(
        bin.resolve("mvn"), "#!/bin/sh\necho pinned Maven runs: \"$@\" on $JAVA_HOME\n");
    assertThat(bin.resolve("mvn").toFile().setExecutable(true)).isTrue();
    archive = scratch.resolve("maven.tar.gz");
    Process tar =
        new ProcessBuilder("tar", "-czf", archive.toString(), "-C", "pack", "apache-maven-3.9.16")
            .directory(scratch.toFile())
            .start();
    assertThat(tar.waitFor()).isZero();
  }

  @Test
  void downloadsOnceAndRunsWhatItDownloaded() throws Exception {
    Run first = mvnw(Map.of("MOORING_MAVEN_SHA512", sha512(archive)));
    assertThat(first.output()).contains("downloading Maven", "pinned Maven runs: ");
    assertThat(first.status()).isZero();

    Files.delete(archive);
    Run second = mvnw(Map.of("MOORING_MAVEN_SHA512", "unused"));

    assertThat(second.output())
        .isEqualTo(
            "pinned Maven runs: -Dstyle.color=never verify on %s\n"
                .formatted(System.getProperty("java.home")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void runsMavenOnItsJdkWhereAnOlderOneIsTheDefault(boolean javaHomeIsSet) throws Exception {
    Path older = jdk(scratch.resolve("older"), "17.0.15");
    Path wanted = jdk(scratch.resolve("home/.sdkman/candidates/java/newest"), JDK + ".0.1");

    Run run =
        run(
            wrapperThatWants(JDK),
            Map.of(
                "JAVA_HOME",
                javaHomeIsSet ? older.toString() : "",
                "PATH",
                older.resolve("bin") + ":" + System.getenv("PATH"),
                "HOME",
                scratch.resolve("home").toString(),
                "MOORING_MAVEN_SHA512",
                sha512(archive)),
            "verify");

    assertThat(run.output()).endsWith(" on " + wanted + "\n");
    assertThat(run.status()).isZero();
  }

  @Test
  void saysInOneLineWhatToInstallWhereNoJdkIsNewEnough() throws Exception {
    Path older = jdk(scratch.resolve("older"), "17.0.15");

    Run run = run(wrapperThatWants(JDK), Map.of("JAVA_HOME", older.toString()), "verify");

    assertThat(run.output())
        .matches("mvnw: there is no JDK 99: install one, for example Temurin .* JAVA_HOME .*\n");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void printsWhereTheJdkIs() throws Exception {
    assertThat(run(WRAPPER, Map.of(), "--java-home").output())
        .isEqualTo(System.getProperty("java.home") + "\n");
  }

  @Test
  void installsNothingWhoseChecksumIsWrong() throws Exception {
    Run run = mvnw(Map.of());

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.output()).contains("is not Maven 3.9.16; nothing was installed");
    assertThat(scratch.resolve("m2/wrapper/mooring/apache-maven-3.9.16")).doesNotExist();
  }

  @Test
  void saysWhereAMirrorIsNamedWhenThereIsNoDownload() throws Exception {
    Files.delete(archive);

    Run run = mvnw(Map.of());

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.output()).contains("could not download Maven", "MOORING_MAVEN_URL");
  }

  private static Path jdk(Path home, String version) throws IOException {
    Files.createDirectories(home.resolve("bin"));
    for (String tool : List.of("java", "javac")) {
      Path file = Files.createFile(home.resolve("bin").resolve(tool));
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
    return home;
  }

  private Path wrapperThatWants(String jdk) throws IOException {
    Path copy = scratch.resolve("mvnw");
    Files.writeString(copy, Files.readString(WRAPPER).replace("\njdk=25\n", "\njdk=" + jdk + "\n"));
    assertThat(copy.toFile().setExecutable(true)).isTrue();
    return copy;
  }

  private Run mvnw(Map<String, String> environment) throws IOException, InterruptedException {
    return run(WRAPPER, environment, "verify");
  }

  private Run run(Path wrapper, Map<String, String> environment, String argument)
      throws IOException, InterruptedException {
    var builder = new ProcessBuilder(wrapper.toString(), argument).redirectErrorStream(true);
    builder.environment().put("MOORING_MAVEN_PINNED", "1");
    builder.environment().put("MOORING_MAVEN_URL", "file://" + archive);
    builder.environment().put("MAVEN_USER_HOME", scratch.resolve("m2").toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), output);
  }

  private record Run(int status, String output) {}

  private static String sha512(Path file) throws IOException, GeneralSecurityException {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-512").digest(Files.readAllBytes(file)));
  }
}
