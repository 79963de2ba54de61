package dev.mooring.acceptance.install;

import dev.mooring.harness.HarnessFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs that end by themselves. */
public final class Shell {
  private Shell() {}

  /**
   * @param status exit status
   * @param output standard output and error, in the order in which they were written
   */
  public record Result(int status, String output) {}

  /** Runs the command to its end; one that takes longer is killed, with all that it started. */
  public static Result run(
      List<String> command, Map<String, String> environment, Path directory, Duration atMost) {
    try {
      Path output = Files.createTempFile("mooring-shell", ".out");
      try {
        var builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true).redirectOutput(output.toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        Process process = builder.start();
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly().waitFor();
          throw new HarnessFailure(
              String.join(" ", command)
                  + " did not end within "
                  + atMost.toSeconds()
                  + " s:\n"
                  + Files.readString(output));
        }
        return new Result(
            process.exitValue(), new String(Files.readAllBytes(output), StandardCharsets.UTF_8));
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new HarnessFailure(command.getFirst() + " could not be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HarnessFailure("Interrupted while " + command.getFirst() + " ran.");
    }
  }

  /** Fails, naming what to install, unless the programs are on PATH. */
  static void require(String... programs) {
    for (String program : programs) {
      if (run(
                  List.of("bash", "-c", "command -v " + program),
                  Map.of(),
                  Path.of("."),
                  Duration.ofSeconds(10))
              .status()
          != 0) {
        throw new HarnessFailure(
            "This test runs what users type and needs " + program + " on PATH. Install it.");
      }
    }
  }
}
