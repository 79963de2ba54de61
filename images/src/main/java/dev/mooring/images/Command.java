package dev.mooring.images;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs programs of the build machine. */
final class Command {
  private Command() {}

  /**
   * @return standard output
   * @throws ImageFailure if the program is missing or fails; with the end of its output
   */
  static String run(Path directory, String... command) {
    try {
      Path output = Files.createTempFile(directory, "output", ".log");
      try {
        int status =
            new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        if (status != 0) {
          throw new ImageFailure(
              "%s ended with status %d:%n%s".formatted(String.join(" ", command), status, said));
        }
        return said;
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new ImageFailure(
          "%s could not be started: %s".formatted(List.of(command).getFirst(), e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImageFailure("interrupted");
    }
  }
}
