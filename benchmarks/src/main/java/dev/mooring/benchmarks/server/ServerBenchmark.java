package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.BenchmarkProgram;
import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.Workspaces;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.OwnFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures a kcp API server, the sandbox or a real one, and another one next to it: start, memory,
 * workspaces, bindings, objects, watches.
 */
@Command(name = "server-benchmark", description = "Measures a kcp API server.")
public final class ServerBenchmark extends BenchmarkProgram {
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

  public static void main(String[] arguments) {
    run(new ServerBenchmark(), arguments);
  }

  @Override
  protected void measure() throws InterruptedException {
    if (competitor != null) {
      System.out.println("competitor:");
      started("competitor", competitor, theirs);
    }
    System.out.println("server:");
    if (kubeconfig != null) {
      phases(Optional.empty(), kubeconfig, ours);
    } else {
      if (libraryStarts > 0) {
        Starts.inThisJvm(libraryStarts, own("library"), ours);
      }
      started("server", server, ours);
    }
  }

  /** A directory that no run before has left anything in. */
  private Path own(String name) {
    return OwnFiles.directory(
        directory.resolve(name + "-" + UUID.randomUUID().toString().substring(0, 8)));
  }

  private void started(String name, List<String> command, Figures figures)
      throws InterruptedException {
    Starts.Started started = new Starts(command, own(name)).measure(starts, figures);
    try (var process = started.process()) {
      phases(Optional.of(process), started.kubeconfig(), figures);
    }
  }

  private void phases(Optional<MeasuredProcess> process, Path file, Figures figures)
      throws InterruptedException {
    Kubeconfig administrator = Kubeconfig.read(file);
    var end = process.isPresent() ? Workspaces.End.LEFT : Workspaces.End.DELETED;
    try (var raw = new RawClient(administrator);
        var made = workspaces(file, end)) {
      Bench bench = Bench.with(process, administrator, raw, made, figures);
      if (workspaces > 0) {
        new WorkspacePhase(bench, workspaces).measure();
      }
      if (objects > 0) {
        new ObjectPhase(bench, objects).measure();
      }
      if (watchers > 0) {
        new WatcherPhase(bench, watchers).measure();
      }
      if (bindings > 0) {
        new BindingPhase(bench, bindings).measure();
      }
    }
  }
}
