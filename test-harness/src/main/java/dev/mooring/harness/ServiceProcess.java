package dev.mooring.harness;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One program as a process of its own, its output in a file. Stopping is idempotent and
 * thread-safe.
 */
public final class ServiceProcess implements AutoCloseable {
  /** A service drains for at most 20 s; after that something is stuck. */
  private static final Duration GRACE = Duration.ofSeconds(25);

  private static final int TAIL_LINES = 25;

  private final String name;
  private final Process process;
  private final Path log;
  private volatile boolean stopRequested;

  private ServiceProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a process whose standard output and error are appended to {@code log}.
   *
   * @param environment added to this process's own
   */
  public static ServiceProcess start(
      String name, List<String> command, Map<String, String> environment, Path log) {
    try {
      Files.createDirectories(log.getParent());
      var builder = new ProcessBuilder(command);
      builder.environment().putAll(environment);
      builder.redirectErrorStream(true);
      builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      return new ServiceProcess(name, builder.start(), log);
    } catch (IOException e) {
      throw new HarnessFailure("The " + name + " could not be started: " + e.getMessage(), e);
    }
  }

  public String name() {
    return name;
  }

  public long pid() {
    return process.pid();
  }

  public Path log() {
    return log;
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Says that the process has ended, and how; only for one that has. */
  public String epitaph() {
    return "The "
        + name
        + " (process "
        + pid()
        + ") has ended with exit status "
        + process.exitValue()
        + ".";
  }

  /** Its end was noticed and dealt with: {@link #requireAlive} does not complain any more. */
  void forgive() {
    stopRequested = true;
  }

  /** Fails with the end of the log if the process has ended without having been asked to. */
  public void requireAlive() {
    if (!process.isAlive() && !stopRequested) {
      throw new HarnessFailure(epitaph() + " The end of its log, " + log + ":\n" + tail());
    }
  }

  /** The last lines of the log, indented. */
  public String tail() {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8)) {
      List<String> all = lines.toList();
      return String.join(
          "\n",
          all.subList(Math.max(0, all.size() - TAIL_LINES), all.size()).stream()
              .map(line -> "    " + line)
              .toList());
    } catch (IOException | UncheckedIOException e) {
      return "    (the log cannot be read: " + e.getMessage() + ")";
    }
  }

  /** Asks the process to end; it may still run when this returns. */
  public void requestStop() {
    stopRequested = true;
    process.destroy();
  }

  /** Ends the process as a crash would: nothing is drained or released. */
  public void kill() {
    stopRequested = true;
    process.destroyForcibly();
    await(GRACE);
  }

  /** Asks the process to end and waits; after a grace period it is killed. */
  @Override
  public void close() {
    requestStop();
    if (!await(GRACE)) {
      process.destroyForcibly();
      await(GRACE);
    }
  }

  private boolean await(Duration atMost) {
    try {
      return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
