package dev.mooring.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program that is run to its end, with all that it printed. */
record Command(Path directory, List<String> words, Map<String, String> environment) {
  /**
   * The Go example compiles Kubernetes' client once, on a machine that does other things as well.
   */
  private static final Duration TIMEOUT = Duration.ofMinutes(20);

  record Outcome(int status, String output) {}

  Outcome run() throws IOException, InterruptedException {
    Path output = Files.createTempFile("example-", ".log");
    var builder = new ProcessBuilder(words).directory(directory.toFile());
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError(words + " does not end:\n" + Files.readString(output));
      }
      return new Outcome(process.exitValue(), Files.readString(output));
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
      Files.delete(output);
    }
  }
}
