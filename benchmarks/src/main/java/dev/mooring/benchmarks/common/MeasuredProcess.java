package dev.mooring.benchmarks.common;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program that is measured, as a process of its own, its output in a file. */
public final class MeasuredProcess implements AutoCloseable {
  /** What a program may take to drain. */
  private static final int STOP_MAX_SECONDS = 60;

  private final Process process;
  private final Path log;

  private MeasuredProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  public static MeasuredProcess start(List<String> command, Path log) {
    try {
      var builder = new ProcessBuilder(command);
      builder.redirectErrorStream(true);
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      return new MeasuredProcess(builder.start(), log);
    } catch (IOException e) {
      throw new BenchmarkFailure(
          "The program could not be started: " + String.join(" ", command), e);
    }
  }

  public void requireAlive() {
    if (!process.isAlive()) {
      throw new BenchmarkFailure(
          "A program that is measured has ended with status "
              + process.exitValue()
              + ", see "
              + log);
    }
  }

  /**
   * Blocks until something answers 200.
   *
   * @param what is then so, for failures
   */
  public void awaitReady(String what, URI readiness) {
    var request = HttpRequest.newBuilder(readiness).timeout(Duration.ofSeconds(10)).build();
    try (var http = HttpClient.newHttpClient()) {
      Patience.await(
          what,
          () -> {
            requireAlive();
            try {
              int code = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
              return code == 200 ? Optional.of(code) : Optional.empty();
            } catch (IOException e) {
              return Optional.empty();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              throw new BenchmarkFailure("Interrupted", e);
            }
          });
    }
  }

  /** MiB of the process that are in memory now; 0 where the system does not tell. */
  public long residentMib() {
    return statusMib("VmRSS:");
  }

  /** The most that it ever was. */
  public long residentPeakMib() {
    return statusMib("VmHWM:");
  }

  /** CPU time that it has used. */
  public double cpuSeconds() {
    return process.info().totalCpuDuration().map(d -> d.toMillis() / 1e3).orElse(0.0);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_MAX_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }

  private long statusMib(String field) {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith(field))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
