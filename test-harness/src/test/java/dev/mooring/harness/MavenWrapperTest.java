package dev.mooring.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** mvnw with a Maven that is only a script: what it downloads, checks and runs. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class MavenWrapperTest {
  private static final Path WRAPPER = ProjectLayout.find().root().resolve("mvnw");

  @TempDir Path scratch;
  private Path archive;

  @BeforeEach
  void packAMaven() throws Exception {
    Path bin = scratch.resolve("pack/apache-maven-3.9.16/bin");
    Files.createDirectories(bin);
    Files.writeString(bin.resolve("mvn"), "#!/bin/sh\necho pinned Maven runs: \"$@\"\n");
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
    assertThat(first.output()).contains("downloading Maven", "pinned Maven runs: verify");
    assertThat(first.status()).isZero();

    Files.delete(archive);
    Run second = mvnw(Map.of("MOORING_MAVEN_SHA512", "unused"));

    assertThat(second.output()).isEqualTo("pinned Maven runs: verify\n");
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

  private Run mvnw(Map<String, String> environment) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(WRAPPER.toString(), "verify").redirectErrorStream(true);
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
