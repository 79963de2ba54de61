package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.Comparison;
import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.ReportOptions;
import dev.mooring.benchmarks.sync.SyncRun.Sizes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the sync agent, and another one next to it, on a kcp. Every agent gets workspaces of its
 * own, one of which stands in for the service cluster; they are deleted in the end.
 */
@Command(
    name = "SyncBenchmark",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    sortOptions = false,
    description = "Measures the sync agent on a kcp.")
public final class SyncBenchmark implements Callable<Integer> {
  @Option(
      names = "--kubeconfig",
      required = true,
      description = "Of an administrator of kcp; its current context may point anywhere.")
  private Path kubeconfig;

  @Option(
      names = "--agent",
      split = " +",
      defaultValue =
          "java -jar sync-agent-service/target/sync-agent-service/sync-agent-service.jar",
      description = "The sync agent's command, split at blanks.")
  private List<String> agent;

  @Option(
      names = "--competitor",
      description = "Program with the Go agent's command line, measured as well.")
  private Path competitor;

  @Option(
      names = "--objects",
      split = ",",
      defaultValue = "300,1000",
      description = "Sizes of the phases.")
  private List<Integer> objects;

  @Option(names = "--workspaces", defaultValue = "5", description = "Consumers' workspaces.")
  private int workspaces;

  @Option(
      names = "--latency-seconds",
      defaultValue = "60",
      description = "How long single objects are made at 1/s and at 10/s; 0: not.")
  private int latencySeconds;

  @Option(names = "--idle-seconds", defaultValue = "10", description = "How long nothing is done.")
  private int idleSeconds;

  @Option(
      names = "--many",
      defaultValue = "10000",
      description = "Objects for memory and restart; 0: neither is measured.")
  private int many;

  @Option(
      names = "--audit-log",
      description =
          "Audit log of kcp, from which requests are counted. Default: the agents' own counts.")
  private Path auditLog;

  @Option(
      names = "--crd",
      defaultValue = "charts/mooring/service-cluster/publishedresources.syncagent.kcp.io.yaml",
      description = "The CRD of PublishedResources.")
  private Path crd;

  @Option(
      names = "--directory",
      defaultValue = "target/sync-benchmark",
      description = "For kubeconfigs and the agents' logs.")
  private Path directory;

  @Option(
      names = "--port",
      defaultValue = "18085",
      description = "Loopback port of the agents' health and metrics.")
  private int port;

  @Mixin private ReportOptions output = new ReportOptions();

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new SyncBenchmark()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    Files.createDirectories(directory);
    var sizes = new Sizes(objects, latencySeconds, Duration.ofSeconds(idleSeconds), many);
    Figures ours = measure(Agent.mooring(agent, port), sizes);
    Optional<Figures> theirs =
        Optional.ofNullable(competitor)
            .map(program ->
                measure(
                    Agent.competitor(program.toAbsolutePath(), port),
                    new Sizes(objects, latencySeconds, sizes.idle(), 0)));
    Comparison report = Report.of(ours, theirs, objects);
    return output.finish(report);
  }

  private Figures measure(Agent measured, Sizes sizes) {
    System.out.println(measured.name() + ":");
    String prefix = "benchmark-" + UUID.randomUUID().toString().substring(0, 8);
    try (Stage stage = Stage.build(kubeconfig, directory, prefix, crd, workspaces)) {
      return new SyncRun(stage, measured, sizes, Optional.ofNullable(auditLog)).measure();
    }
  }
}
