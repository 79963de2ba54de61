package dev.mooring.benchmarks.common;

import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.ServiceProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A program that is measured, as a process of its own, its output in a file. */
public final class MeasuredProcess implements AutoCloseable {
  /** The last line of a histogram of classes. */
  private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");

  private final ServiceProcess process;

  private MeasuredProcess(ServiceProcess process) {
    this.process = process;
  }

  public static MeasuredProcess start(List<String> command, Path log) {
    return start(command, Map.of(), log);
  }

  /**
   * @param environment added to this process's own
   */
  public static MeasuredProcess start(
      List<String> command, Map<String, String> environment, Path log) {
    return new MeasuredProcess(
        ServiceProcess.start("measured program", command, environment, log.toAbsolutePath()));
  }

  public void requireAlive() {
    process.requireAlive();
  }

  /**
   * Blocks until something answers 200.
   *
   * @param what is then so, for failures
   */
  public void awaitReady(String what, URI readiness) {
    try (HttpProbe probe = HttpProbe.plain()) {
      Patience.await(
          what,
          () -> {
            requireAlive();
            return probe.status(readiness).filter(code -> code == 200);
          });
    }
  }

  /** As {@link #awaitReady}, looking every few milliseconds. */
  public void awaitReadyAtOnce(URI readiness) {
    try (HttpProbe probe = HttpProbe.plain()) {
      awaitReadyAtOnce(readiness, probe);
    }
  }

  /**
   * @param probe that trusts the process
   */
  public void awaitReadyAtOnce(URI readiness, HttpProbe probe) {
    Patience.awaitClosely(
        readiness + " answers 200",
        () -> {
          requireAlive();
          return probe.status(readiness).filter(code -> code == 200).isPresent();
        });
  }

  /** Blocks until it ends by itself; its exit status. */
  public int awaitEnd() {
    return process.awaitEnd();
  }

  /** MiB of the process that are in memory now; 0 where the system does not tell. */
  public long residentMib() {
    return residentKib() / 1024;
  }

  /** As {@link #residentMib}. */
  public long residentKib() {
    return statusKib("VmRSS:");
  }

  /** The same without pages of files, which processes of one image share. */
  public long residentAnonymousMib() {
    return statusKib("RssAnon:") / 1024;
  }

  /** The most that it ever was. */
  public long residentPeakMib() {
    return statusKib("VmHWM:") / 1024;
  }

  /** What a Java program's objects take after a full collection; empty for another program. */
  public OptionalDouble liveHeapBytes() {
    if (!isJava()) {
      // The question begins with a signal, which ends other programs.
      return OptionalDouble.empty();
    }
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    var command =
        new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), "GC.class_histogram");
    command.redirectErrorStream(true);
    try (BufferedReader answer = command.start().inputReader()) {
      return answer
          .lines()
          .map(TOTAL::matcher)
          .filter(Matcher::matches)
          .mapToDouble(total -> Double.parseDouble(total.group(1)))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isJava() {
    return ProcessHandle.of(process.pid())
        .flatMap(handle -> handle.info().command())
        .filter(command -> Path.of(command).endsWith("java"))
        .isPresent();
  }

  /** CPU time that it has used. */
  public double cpuSeconds() {
    return ProcessHandle.of(process.pid())
        .flatMap(handle -> handle.info().totalCpuDuration())
        .map(used -> used.toMillis() / 1e3)
        .orElse(0.0);
  }

  @Override
  public void close() {
    process.close();
  }

  private long statusKib(String field) {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith(field))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
