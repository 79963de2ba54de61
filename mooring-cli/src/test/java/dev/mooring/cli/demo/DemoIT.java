package dev.mooring.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.ProjectLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole story, told by the real programs. */
class DemoIT {
  @TempDir Path scratch;

  @Test
  void tellsTheStoryAndPublishesACrdThatTheUserBrings() {
    Path crd = ProjectLayout.find().file("mooring-cli/src/test/resources/own-crd.yaml");

    int status =
        new CommandLine(new DemoCommand())
            .execute(
                "--check",
                "--free-ports",
                "--crd=" + crd,
                "--directory=" + scratch.resolve("demo"));

    assertThat(status).isZero();
  }
}
