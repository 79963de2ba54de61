package dev.mooring.sandbox.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs that a machine may lack, and what they print. */
final class Tools {
  private Tools() {}

  /**
   * What a program did.
   *
   * @param output of both streams
   */
  record Run(int exitStatus, String output) {
    boolean succeeded() {
      return exitStatus == 0;
    }
  }

  /** Whether the command can be run and succeeds. */
  static boolean works(String... command) {
    try {
      return run(Duration.ofSeconds(30), List.of(command)).succeeded();
    } catch (UncheckedIOException missing) {
      return false;
    }
  }

  /** Runs to the end; a program that takes longer is stopped and fails. */
  static Run run(Duration atMost, List<String> command) {
    try {
      Path output = Files.createTempFile("tool", ".txt");
      try {
        Process process =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile())
                .start();
        try {
          if (!process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS)) {
            return new Run(-1, text(output) + "\nstopped after " + atMost);
          }
          return new Run(process.exitValue(), text(output));
        } finally {
          process.destroyForcibly();
        }
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
