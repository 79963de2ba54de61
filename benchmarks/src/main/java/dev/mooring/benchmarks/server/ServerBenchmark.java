package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Comparison;
import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.ReportOptions;
import dev.mooring.benchmarks.common.Workspaces;
import dev.mooring.harness.Kubeconfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures a kcp API server, the sandbox or a real one, and another one next to it: start, memory,
 * workspaces, bindings, objects, watches.
 */
@Command(
    name = "ServerBenchmark",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    sortOptions = false,
    description = "Measures a kcp API server.")
public final class ServerBenchmark implements Callable<Integer> {
  @Option(
      names = "--server",
      split = " +",
      defaultValue =
          "java -jar kcp-sandbox-server/target/kcp-sandbox.jar start"
              + " --root-directory {directory} --secure-port {port}",
      description =
          "The server's command, split at blanks; it writes admin.kubeconfig into {directory}.")
  private List<String> server;

  @Option(
      names = "--competitor",
      split = " +",
      description =
          "Another server's command, measured as well; {port+1} and {port+2} are free, too.")
  private List<String> competitor;

  @Option(
      names = "--kubeconfig",
      description =
          "Of an administrator with a token at a server that runs already, in place of --server:"
              + " neither start nor memory are measured.")
  private Path kubeconfig;

  @Option(names = "--starts", defaultValue = "5", description = "How often it is started.")
  private int starts;

  @Option(
      names = "--library-starts",
      defaultValue = "20",
      description = "Starts of the sandbox in this JVM, once it is warm; 0: none.")
  private int libraryStarts;

  @Option(names = "--workspaces", defaultValue = "200", description = "Made one after the other.")
  private int workspaces;

  @Option(
      names = "--objects",
      defaultValue = "10000",
      description = "Of 1 KiB each, created and updated once; 0: none.")
  private int objects;

  @Option(names = "--watchers", defaultValue = "1000", description = "Of one type; 0: none.")
  private int watchers;

  @Option(
      names = "--bindings",
      defaultValue = "1000",
      description = "Workspaces bound to one export; 0: none.")
  private int bindings;

  @Option(
      names = "--directory",
      defaultValue = "target/server-benchmark",
      description = "For kubeconfigs, logs and the servers' files; removed by you.")
  private Path directory;

  @Mixin private ReportOptions output = new ReportOptions();

  /** How much is made. */
  record Sizes(int workspaces, int objects, int watchers, int bindings) {}

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new ServerBenchmark()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    Files.createDirectories(directory);
    var sizes = new Sizes(workspaces, objects, watchers, bindings);
    Optional<Figures> theirs = Optional.empty();
    if (competitor != null) {
      System.out.println("competitor:");
      theirs = Optional.of(started("competitor", competitor, sizes, new Figures()));
    }
    System.out.println("server:");
    Figures ours = new Figures();
    if (kubeconfig != null) {
      running(kubeconfig, sizes, ours);
    } else {
      if (libraryStarts > 0) {
        Starts.inThisJvm(libraryStarts, own("library"), ours);
      }
      started("server", server, sizes, ours);
    }
    Comparison report = ServerReport.of(ours, theirs, sizes);
    return output.finish(report);
  }

  /** A directory that no run before has left anything in. */
  private Path own(String name) throws java.io.IOException {
    return Files.createDirectories(
        directory.resolve(name + "-" + UUID.randomUUID().toString().substring(0, 8)));
  }

  private Figures started(String name, List<String> command, Sizes sizes, Figures figures)
      throws Exception {
    Starts.Started started = new Starts(command, own(name)).measure(starts, figures);
    Kubeconfig administrator = Kubeconfig.read(started.kubeconfig());
    try (var process = started.process();
        var raw = new RawClient(administrator)) {
      // Its workspaces end with it.
      var made = workspaces(started.kubeconfig());
      phases(new Bench(Optional.of(process), administrator, raw, made, figures), sizes);
    }
    return figures;
  }

  private void running(Path file, Sizes sizes, Figures figures) throws Exception {
    Kubeconfig administrator = Kubeconfig.read(file);
    try (var raw = new RawClient(administrator);
        var made = workspaces(file)) {
      phases(new Bench(Optional.empty(), administrator, raw, made, figures), sizes);
    }
  }

  private Workspaces workspaces(Path administrator) {
    String prefix = "benchmark-" + UUID.randomUUID().toString().substring(0, 8);
    return new Workspaces(administrator, directory, prefix, "server-benchmark");
  }

  private static void phases(Bench bench, Sizes sizes) throws InterruptedException {
    bench.export();
    if (sizes.workspaces() > 0) {
      new WorkspacePhase(bench, sizes.workspaces()).measure();
    }
    if (sizes.objects() > 0) {
      new ObjectPhase(bench, sizes.objects()).measure();
    }
    if (sizes.watchers() > 0) {
      new WatcherPhase(bench, sizes.watchers()).measure();
    }
    if (sizes.bindings() > 0) {
      new BindingPhase(bench, sizes.bindings()).measure();
    }
  }
}
