package dev.mooring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.ProjectLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RehearsalIT {
  /** {@code ./mooring} makes its cache of a rehearsal that ended well, and works without it. */
  @Test
  void everyCommandOfTheRehearsalWorks() throws IOException, InterruptedException {
    Process rehearsal =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Rehearsal.class.getName(),
                ProjectLayout.find().root().resolve("docs/how-to/example").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(rehearsal.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(rehearsal.waitFor()).as(said).isZero();
  }
}
