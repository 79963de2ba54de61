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
import java.util.Optional;
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

  /** Blocks until something answers 200. */
  public void awaitReady(URI readiness) {
    try (HttpProbe probe = HttpProbe.plain()) {
      Waiting.await(readiness + " answers 200", () -> isReady(readiness, probe));
    }
  }

  /**
   * As {@link #awaitReady}, looking every few milliseconds.
   *
   * @param probe that trusts the process
   */
  public void awaitReadyAtOnce(URI readiness, HttpProbe probe) {
    Waiting.awaitClosely(readiness + " answers 200", () -> isReady(readiness, probe));
  }

  private boolean isReady(URI readiness, HttpProbe probe) {
    requireAlive();
    return probe.status(readiness).filter(code -> code == 200).isPresent();
  }

  /** What of a process is in memory. */
  public enum Resident {
    NOW("VmRSS:"),
    /** Without pages of files, which processes of one image share. */
    ANONYMOUS("RssAnon:"),
    /** The most that ever was. */
    PEAK("VmHWM:");

    private final String field;

    Resident(String field) {
      this.field = field;
    }
  }

  /** MiB in memory; 0 where the system does not tell. */
  public double residentMib(Resident resident) {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith(resident.field))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** KiB of a Java program's objects after a full collection; empty for another program. */
  public OptionalDouble liveHeapKib() {
    if (info().flatMap(ProcessHandle.Info::command).filter(MeasuredProcess::isJava).isEmpty()) {
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
          .mapToDouble(total -> Double.parseDouble(total.group(1)) / 1024)
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** CPU time that it has used. */
  public double cpuSeconds() {
    return info()
        .flatMap(ProcessHandle.Info::totalCpuDuration)
        .map(used -> used.toMillis() / 1e3)
        .orElse(0.0);
  }

  private Optional<ProcessHandle.Info> info() {
    return ProcessHandle.of(process.pid()).map(ProcessHandle::info);
  }

  private static boolean isJava(String program) {
    return Path.of(program).endsWith("java");
  }

  @Override
  public void close() {
    process.close();
  }
}
