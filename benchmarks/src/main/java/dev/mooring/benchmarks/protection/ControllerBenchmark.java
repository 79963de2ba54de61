package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.BenchmarkProgram;
import dev.mooring.benchmarks.common.Limit;
import dev.mooring.benchmarks.common.Load;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.MeasuredProcess.Resident;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.common.Waiting;
import dev.mooring.benchmarks.common.Workspace;
import dev.mooring.benchmarks.common.Workspaces;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.Manifests;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures how long the dependency controller takes from its start until every rule of many
 * providers is enforced and says so, and what it writes when it starts again.
 */
@Command(
    name = "controller-benchmark",
    description = "Measures the dependency controller on a kcp.")
public final class ControllerBenchmark extends BenchmarkProgram {
  @Spec private CommandSpec spec;

  @Option(names = "--kubeconfig", required = true, description = "Of an administrator of kcp.")
  private Path kubeconfig;

  @Option(
      names = "--controller",
      split = " +",
      defaultValue =
          "java -XX:+UseSerialGC -jar dependency-controller-service/target/dependency-controller-service/dependency-controller-service.jar",
      description = "The controller's command, split at blanks.")
  private List<String> controller;

  @Option(names = "--providers", defaultValue = "200")
  private int providers;

  @Option(names = "--rules", defaultValue = "1000")
  private int rules;

  @Option(names = "--goal-seconds", defaultValue = "60", description = "For all rules.")
  private int goalSeconds;

  @Option(
      names = "--rest-seconds",
      defaultValue = "20",
      description =
          "How long it is left alone before it is started again, and then watched: what is written late would show by then.")
  private int restSeconds;

  @Option(
      names = "--manifests",
      defaultValue = "charts/mooring/kcp",
      description = "Directory of the dependency controller's.")
  private Path manifests;

  @Option(names = "--port", defaultValue = "18446")
  private int port;

  public static void main(String[] arguments) {
    run(new ControllerBenchmark(), arguments);
  }

  @Override
  protected void measure() {
    if (Math.ceilDiv(rules, providers) >= providers) {
      throw new ParameterException(
          spec.commandLine(), "A provider cannot have as many rules as there are providers.");
    }
    try (var workspaces = workspaces(kubeconfig, Workspaces.End.DELETED)) {
      Workspace dependencies = ProtectionStage.exportRules(workspaces, manifests);
      List<Workspace> all = providers(workspaces, dependencies);
      Path toKcp = workspaces.kubeconfigFor(dependencies);
      Map<String, String> before;
      long begin = System.nanoTime();
      try (var process = start(toKcp)) {
        all.forEach(provider -> awaitReady(provider, process));
        figures(begin, process);
        // What the first start still has to write is not the second one's.
        Waiting.rest(Duration.ofSeconds(restSeconds));
        before = versions(all);
      }
      try (var process = start(toKcp)) {
        process.awaitReady(URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness"));
        Waiting.rest(Duration.ofSeconds(restSeconds));
        process.requireAlive();
        Map<String, String> after = versions(all);
        HarnessFailure.unless(
            after.keySet().equals(before.keySet()),
            "Objects came or went when the controller started again");
        after.entrySet().removeAll(before.entrySet());
        ours.put("objects written by another start", after.size(), Limit.atMost(0));
      }
    }
  }

  private void figures(long begin, MeasuredProcess process) {
    ours.put(
        "%d rules of %d providers enforced [s]".formatted(rules, providers),
        Quantiles.millisSince(begin) / 1e3,
        Limit.atMost(goalSeconds));
    ours.put("resident [MiB]", process.residentMib(Resident.NOW));
  }

  /** Every provider exports a type and binds; rules are spread over them, each about the next. */
  private List<Workspace> providers(Workspaces workspaces, Workspace dependencies) {
    KubeObject binding = ProtectionStage.acceptance(dependencies, manifests);
    var all = new Workspace[providers];
    Load.share(
        0,
        providers,
        number -> {
          all[number] = workspaces.create("p" + number);
          all[number].create(Manifests.ofResource("/controller-benchmark/provider.yaml", Map.of()));
          all[number].create(binding);
        });
    Load.share(
        0, rules, number -> all[number % providers].create(rule(number, all[target(number)])));
    System.out.printf("%d rules of %d providers are there%n", rules, providers);
    return List.of(all);
  }

  /**
   * The provider that a rule is about: another one than its own, and another for each rule of it.
   */
  private int target(int rule) {
    return (rule + 1 + rule / providers) % providers;
  }

  private MeasuredProcess start(Path toKcp) {
    var command = new ArrayList<>(controller);
    command.add("--server.address=127.0.0.1");
    command.add("--server.port=" + port);
    command.add("--mooring.dependency-controller.endpoint-auth=false");
    command.add("--mooring.dependency-controller.webhook-failure-policy=IGNORE");
    command.add("--webhook-url=https://127.0.0.1:1/validate");
    command.add("--kubeconfig=" + toKcp);
    return MeasuredProcess.start(command, directory.resolve("controller.log"));
  }

  private static void awaitReady(Workspace provider, MeasuredProcess process) {
    Waiting.await(
        "all rules in " + provider.path() + " are ready",
        () -> {
          process.requireAlive();
          return list(provider, DependencyRule.TYPE).stream()
              .allMatch(rule -> rule.hasCondition("Ready"));
        });
  }

  private static Map<String, String> versions(List<Workspace> providers) {
    var versions = new TreeMap<String, String>();
    for (Workspace provider : providers) {
      for (ResourceType type : List.of(DependencyRule.TYPE, Guard.CONFIGURATIONS)) {
        for (KubeObject object : list(provider, type)) {
          versions.put(
              provider.name() + "/" + type + "/" + object.name(), object.resourceVersion());
        }
      }
    }
    return versions;
  }

  private static List<KubeObject> list(Workspace provider, ResourceType type) {
    return provider.client().list(type, ListQuery.ALL).items();
  }

  private static KubeObject rule(int number, Workspace target) {
    return Manifests.ofResource(
            "/controller-benchmark/rule.yaml",
            Map.of("number", Integer.toString(number), "target", target.path().value()))
        .getFirst();
  }
}
