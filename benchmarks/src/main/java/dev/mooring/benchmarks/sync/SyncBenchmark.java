package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.BenchmarkProgram;
import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.Workspaces;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the sync agent, and another one next to it, on a kcp. Every agent gets workspaces of its
 * own, one of which stands in for the service cluster; they are deleted in the end.
 */
@Command(name = "sync-benchmark", description = "Measures the sync agent on a kcp.")
public final class SyncBenchmark extends BenchmarkProgram {
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
  List<Integer> objects;

  @Option(names = "--workspaces", defaultValue = "5", description = "Consumers' workspaces.")
  private int workspaces;

  @Option(
      names = "--latency-seconds",
      defaultValue = "60",
      description = "How long single objects are made at 1/s and at 10/s; 0: not.")
  int latencySeconds;

  @Option(names = "--idle-seconds", defaultValue = "10", description = "How long nothing is done.")
  int idleSeconds;

  @Option(
      names = "--many",
      defaultValue = "10000",
      description = "Objects for memory and restart; 0: neither is measured.")
  private int many;

  @Option(
      names = "--crd",
      defaultValue = "charts/mooring/service-cluster/publishedresources.syncagent.kcp.io.yaml",
      description = "The CRD of PublishedResources.")
  private Path crd;

  @Option(
      names = "--port",
      defaultValue = "18085",
      description = "Loopback port of the agents' health and metrics.")
  private int port;

  public static void main(String[] arguments) {
    run(new SyncBenchmark(), arguments);
  }

  @Override
  protected void measure() {
    measure(Agent.mooring(agent, port), many, ours);
    if (competitor != null) {
      measure(Agent.competitor(competitor.toAbsolutePath(), port), 0, theirs);
    }
  }

  private void measure(Agent measured, int objectsOfRestart, Figures figures) {
    System.out.println(measured.name() + ":");
    try (Workspaces made = workspaces(kubeconfig, Workspaces.End.DELETED)) {
      var stage = new Stage(made, crd, workspaces);
      new SyncRun(this, stage, measured, objectsOfRestart, figures).measure();
    }
  }
}
