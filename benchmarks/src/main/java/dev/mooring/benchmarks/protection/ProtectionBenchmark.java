package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.BenchmarkProgram;
import dev.mooring.benchmarks.common.Workspaces;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.runtime.time.SystemTime;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the dependency webhook, and another one next to it, on a kcp: in workspaces of its own,
 * which are deleted in the end.
 */
@Command(name = "protection-benchmark", description = "Measures the dependency webhook on a kcp.")
public final class ProtectionBenchmark extends BenchmarkProgram {
  @Option(
      names = "--kubeconfig",
      required = true,
      description =
          "Of an administrator of kcp, which reaches this machine's loopback; its current context may point anywhere.")
  private Path kubeconfig;

  @Option(
      names = "--webhook",
      split = " +",
      defaultValue =
          "java -XX:+UseSerialGC -Xmx160m -jar dependency-webhook-service/target/dependency-webhook-service/dependency-webhook-service.jar",
      description = "The webhook's command, split at blanks.")
  private List<String> webhook;

  @Option(
      names = "--competitor-webhook",
      description = "Program with the Go webhook's command line, measured as well.")
  private Path competitor;

  @Option(
      names = "--modes",
      split = ",",
      defaultValue = "STRICT,INDEXED,RACE_FREE",
      description = "Of ${COMPLETION-CANDIDATES}.")
  private List<Mode> modes;

  @Option(
      names = "--dependents",
      split = ",",
      defaultValue = "1,1000,5000,10000",
      description = "Of the consumers, ascending.")
  private List<Integer> dependents;

  @Option(
      names = "--samples",
      defaultValue = "100",
      description = "Deletions of each kind that are measured.")
  int samples;

  @Option(
      names = "--warm-up",
      defaultValue = "20",
      description =
          "Deletions of each kind before those, ten times as many where dependents are not listed.")
  int warmUp;

  @Option(names = "--together", defaultValue = "8", description = "Deletions at once.")
  int together;

  @Option(
      names = "--reviews-per-second",
      defaultValue = "200",
      description = "Sent to the webhook itself.")
  int reviewsPerSecond;

  @Option(names = "--review-seconds", defaultValue = "20", description = "For how long; 0: not.")
  int reviewSeconds;

  @Option(
      names = "--manifests",
      defaultValue = "charts/mooring/kcp",
      description = "Directory of the dependency controller's.")
  private Path manifests;

  @Option(
      names = "--port",
      defaultValue = "18443",
      description = "Loopback port of the webhooks; the next one is for health.")
  private int port;

  public static void main(String[] arguments) {
    run(new ProtectionBenchmark(), arguments);
  }

  @Override
  protected void measure() {
    ServingCertificate certificate =
        ServingCertificate.in(directory.resolve("webhook-tls"), SystemTime.clock().instant());
    try (var workspaces = workspaces(kubeconfig, Workspaces.End.DELETED)) {
      var stage = new ProtectionStage(workspaces, manifests, dependents);
      System.out.println("without a webhook:");
      var run = new ProtectionRun(this, stage, certificate, ours);
      run.measureFloor();
      if (competitor != null) {
        Webhook other = Webhook.competitor(competitor.toAbsolutePath(), port);
        System.out.println(other.name() + ":");
        new ProtectionRun(this, stage, certificate, theirs).measure(other, Mode.STRICT);
      }
      for (Mode mode : modes) {
        System.out.println("mooring, " + mode.text + ":");
        run.measure(Webhook.mooring(webhook, port), mode);
      }
      run.setLimits();
    }
  }
}
