package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.Limit;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.MeasuredProcess.Resident;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.common.Waiting;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.OwnFiles;
import dev.mooring.harness.PortPlan;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
    var millis = new ArrayList<Double>();
    Started last = start(0);
    millis.add(last.millis());
    for (int i = 1; i < times; i++) {
      last.process().close();
      last = start(i);
      millis.add(last.millis());
    }
    figures.put("start until /readyz [ms]", new Quantiles(millis).median(), Limit.atMost(2_500));
    Waiting.rest(SETTLED);
    figures.put(
        "resident after the start [MiB]",
        last.process().residentMib(Resident.NOW),
        Limit.atMost(150));
    return last;
  }

  private Started start(int number) {
    Path own = OwnFiles.directory(directory.resolve("start-" + number).toAbsolutePath());
    int port = PortPlan.freeNeighbours(3);
    List<String> actual =
        command.stream()
            .map(word ->
                word.replace("{directory}", own.toString())
                    .replace("{port}", Integer.toString(port))
                    .replace("{port+1}", Integer.toString(port + 1))
                    .replace("{port+2}", Integer.toString(port + 2)))
            .toList();
    Path kubeconfig = own.resolve("admin.kubeconfig");
    long begin = System.nanoTime();
    var process = MeasuredProcess.start(actual, directory.resolve("server.log"));
    try {
      awaitReady(process, kubeconfig, port);
    } catch (HarnessFailure failed) {
      process.close();
      throw failed;
    }
    return new Started(process, kubeconfig, Quantiles.millisSince(begin));
  }

  private static void awaitReady(MeasuredProcess process, Path kubeconfig, int port) {
    Waiting.awaitClosely(
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
    var millis = new ArrayList<Double>();
    for (int i = 0; i < times + WARM_AFTER; i++) {
      long begin = System.nanoTime();
      try (var _ = KcpSandbox.start(ServerOptions.in(directory.resolve("library-" + i)))) {
        millis.add(Quantiles.millisSince(begin));
      }
    }
    figures.put(
        "start in a warm JVM [ms]",
        new Quantiles(millis.subList(WARM_AFTER, millis.size())).median(),
        Limit.atMost(150));
  }
}
