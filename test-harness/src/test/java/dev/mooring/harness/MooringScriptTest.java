package dev.mooring.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What ./mooring says while it builds, with a Maven and a JDK that are only scripts. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class MooringScriptTest {
  /** As Maven prints it with the settings of .mvn: milliseconds since its start come first. */
  private static final String BUILDING =
      """
      612 [INFO] Scanning for projects...
      1043 [INFO] Building mooring 0.1.0-SNAPSHOT                                  [1/3]
      2950 [INFO] Building jar: mooring-0.1.0-SNAPSHOT.jar
      63120 [INFO] Building shared-model 0.1.0-SNAPSHOT                             [2/3]
      """;

  @TempDir Path home;

  @BeforeEach
  void copiesTheScript() throws IOException {
    Files.copy(ProjectLayout.find().root().resolve("mooring"), home.resolve("mooring"));
    assertThat(home.resolve("mooring").toFile().setExecutable(true)).isTrue();
    Files.createDirectories(home.resolve("mooring-cli/target"));
    script(
        "bin/java",
        """
        for option; do case $option in -XX:AOTCacheOutput=*) touch "${option#*=}" ;; esac; done
        echo "the program runs with ${*: -2}"
        """);
  }

  @Test
  void namesEachModuleAndItsNumberWhileItIsBuilt() throws Exception {
    maven(BUILDING + "125800 [INFO] Building mooring-cli 0.1.0-SNAPSHOT          [3/3]\n", 0);

    Run run = mooring();

    assertThat(run.output())
        .startsWith(
            """
            Building Mooring (the first time this downloads its dependencies) ...
               1 s  module 1 of 3: mooring
              63 s  module 2 of 3: shared-model
             125 s  module 3 of 3: mooring-cli
            """)
        .endsWith("the program runs with status --all\n");
    assertThat(run.status()).isZero();
  }

  @Test
  void saysWhatFailedAndRunsNothing() throws Exception {
    maven(BUILDING + "70001 [ERROR] COMPILATION ERROR\n70002 [INFO] BUILD FAILURE\n", 1);

    Run run = mooring();

    assertThat(run.output())
        .endsWith(
            """
              63 s  module 2 of 3: shared-model
            70001 [ERROR] COMPILATION ERROR
            70002 [INFO] BUILD FAILURE
            mooring: the build failed; its output is in %s/target/build.log
            """
                .formatted(home.toRealPath()));
    assertThat(run.status()).isEqualTo(1);
    assertThat(home.resolve("mooring-cli/target/mooring.built")).doesNotExist();
  }

  private void maven(String output, int status) throws IOException {
    Files.writeString(home.resolve("output"), output);
    script(
        "mvnw",
        "if [ \"$1\" = --java-home ]; then echo '%1$s'; else cat '%1$s/output'; exit %2$d; fi"
            .formatted(home, status));
  }

  private void script(String name, String commands) throws IOException {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/usr/bin/env bash\n" + commands + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Run mooring() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(home.resolve("mooring").toString(), "status", "--all")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), output);
  }

  private record Run(int status, String output) {}
}
