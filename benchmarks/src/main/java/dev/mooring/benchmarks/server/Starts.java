package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.FreePorts;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.Patience;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Starts of one server.
 *
 * @param command with {@code {directory}}, {@code {port}}, {@code {port+1}} and {@code {port+2}} in
 *     it
 * @param directory for the server's files
 */
record Starts(List<String> command, Path directory) {
  static final Duration SETTLED = Duration.ofSeconds(10);

  /** A library's first starts compile and load classes. */
  private static final int WARM_AFTER = 5;

  /** A server that is ready. */
  record Started(MeasuredProcess process, Path kubeconfig, double millis) {}

  /** Starts it several times, each in an empty directory; the last one runs on. */
  Started measure(int times, Figures figures) {
    var millis = new double[times];
    for (int i = 0; i < times - 1; i++) {
      Started started = start(i);
      millis[i] = started.millis();
      started.process().close();
    }
    Started last = start(times - 1);
    millis[times - 1] = last.millis();
    figures.put(ServerReport.START, new Quantiles(millis).at(0.5));
    Patience.rest(SETTLED);
    figures.put(ServerReport.RESIDENT, last.process().residentKib() / 1024.0);
    return last;
  }

  private Started start(int number) {
    Path own = directory.resolve("start-" + number).toAbsolutePath();
    int port = FreePorts.neighbours(3);
    List<String> actual =
        command.stream()
            .map(word ->
                word.replace("{directory}", own.toString())
                    .replace("{port}", Integer.toString(port))
                    .replace("{port+1}", Integer.toString(port + 1))
                    .replace("{port+2}", Integer.toString(port + 2)))
            .toList();
    Path kubeconfig = own.resolve("admin.kubeconfig");
    try {
      Files.createDirectories(own);
      Files.deleteIfExists(kubeconfig);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long begin = System.nanoTime();
    var process = MeasuredProcess.start(actual, directory.resolve("server.log"));
    try {
      awaitReady(process, kubeconfig, port);
    } catch (HarnessFailure failed) {
      process.close();
      throw failed;
    }
    return new Started(process, kubeconfig, Bench.millisSince(begin));
  }

  private static void awaitReady(MeasuredProcess process, Path kubeconfig, int port) {
    Patience.awaitClosely(
        "there is " + kubeconfig,
        () -> {
          process.requireAlive();
          return Files.isReadable(kubeconfig);
        });
    URI ready = URI.create("https://127.0.0.1:" + port + "/readyz");
    try (HttpProbe probe = HttpProbe.of(Kubeconfig.read(kubeconfig))) {
      process.awaitReadyAtOnce(ready, probe);
    }
  }

  /** The sandbox as a library in this JVM, once it is warm. */
  static void inThisJvm(int times, Path directory, Figures figures) {
    var millis = new double[times];
    for (int i = 0; i < times + WARM_AFTER; i++) {
      long begin = System.nanoTime();
      try (var sandbox = KcpSandbox.start(ServerOptions.in(directory.resolve("library-" + i)))) {
        if (i >= WARM_AFTER) {
          millis[i - WARM_AFTER] = Bench.millisSince(begin);
        }
        if (sandbox.url().getPort() == 0) {
          throw new HarnessFailure("The sandbox has no port.");
        }
      }
    }
    figures.put(ServerReport.LIBRARY, new Quantiles(millis).at(0.5));
  }
}
