package dev.mooring.acceptance.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.ProjectLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * An option of the JVM has precedence over {@code VirtualThreadParallelism}, by which a service has
 * many carrier threads: with few it can stand still while its threads load classes.
 */
class TidyImageOptionsTest {
  @Test
  void noImageSetsTheNumberOfCarrierThreads() throws IOException {
    try (Stream<Path> files = Files.list(ProjectLayout.find().root().resolve("images/options"))) {
      assertThat(files)
          .isNotEmpty()
          .allSatisfy(
              file -> assertThat(file).content().doesNotContain("jdk.virtualThreadScheduler"));
    }
  }
}
