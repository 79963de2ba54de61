package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.Clients;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.Patience;
import dev.mooring.benchmarks.common.Workspaces;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.Manifests;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
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
    name = "ControllerBenchmark",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    sortOptions = false,
    description = "Measures the dependency controller on a kcp.")
public final class ControllerBenchmark implements Callable<Integer> {
  private static final ResourceType CONFIGURATIONS =
      new ResourceType("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");

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

  @Option(
      names = "--directory",
      defaultValue = "target/controller-benchmark",
      description = "For kubeconfigs and logs.")
  private Path directory;

  @Option(names = "--port", defaultValue = "18446")
  private int port;

  @Option(names = "--strict", description = "Fail if a target is missed.")
  private boolean strict;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new ControllerBenchmark()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    if (Math.ceilDiv(rules, providers) >= providers) {
      throw new ParameterException(
          spec.commandLine(), "A provider cannot have as many rules as there are providers.");
    }
    Files.createDirectories(directory);
    String prefix = "benchmark-" + UUID.randomUUID().toString().substring(0, 8);
    try (var workspaces = new Workspaces(kubeconfig, directory, prefix, "controller-benchmark")) {
      stage(workspaces);
      boolean met;
      Map<String, String> before;
      long begin = System.nanoTime();
      try (var process = start(workspaces)) {
        awaitReady(workspaces, process);
        double seconds = (System.nanoTime() - begin) / 1e9;
        met = seconds <= goalSeconds;
        System.out.printf(
            "%d rules of %d providers enforced after %.1f s (goal %d s: %s), controller %d MiB%n",
            rules, providers, seconds, goalSeconds, met ? "met" : "MISSED", process.residentMib());
        // What the first start still has to write is not the second one's.
        Patience.rest(Duration.ofSeconds(restSeconds));
        before = versions(workspaces);
      }
      long written = writtenByAnother(workspaces, before);
      System.out.printf(
          "started again: %d objects written (goal 0: %s)%n",
          written, written == 0 ? "met" : "MISSED");
      return strict && !(met && written == 0) ? 1 : 0;
    }
  }

  /** Every provider exports a type and binds; rules are spread over them, each about the next. */
  private void stage(Workspaces workspaces) {
    workspaces.create("deps");
    KubeClient deps = workspaces.client("deps");
    for (String file : List.of("apiresourceschema.yaml", "apiexport.yaml")) {
      Workspaces.create(deps, Manifests.ofFile(manifests.resolve(file)).getFirst());
    }
    KubeObject binding =
        Manifests.ofFile(manifests.resolve("provider-apibinding.yaml"))
            .getFirst()
            .with(workspaces.path("deps").value(), "spec", "reference", "export", "path");
    Clients.share(
        numbers(providers),
        number -> {
          workspaces.create("p" + number);
          KubeClient provider = workspaces.client("p" + number);
          Manifests.ofResource("/controller-benchmark/provider.yaml", Map.of())
              .forEach(object -> Workspaces.create(provider, object));
          Workspaces.create(provider, binding);
        });
    Clients.share(
        numbers(rules),
        number ->
            Workspaces.create(
                workspaces.client("p" + number % providers),
                rule(number, workspaces.path("p" + target(number)).value())));
    System.out.printf("%d rules of %d providers are there%n", rules, providers);
  }

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  /**
   * The provider that a rule is about: another one than its own, and another for each rule of it.
   */
  private int target(int rule) {
    return (rule + 1 + rule / providers) % providers;
  }

  private URI readiness() {
    return URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness");
  }

  private MeasuredProcess start(Workspaces workspaces) {
    var command = new ArrayList<>(controller);
    command.add("--server.address=127.0.0.1");
    command.add("--server.port=" + port);
    command.add("--mooring.dependency-controller.endpoint-auth=false");
    command.add("--mooring.dependency-controller.webhook-failure-policy=IGNORE");
    command.add("--webhook-url=https://127.0.0.1:1/validate");
    command.add("--kubeconfig=" + workspaces.kubeconfigFor("deps"));
    return MeasuredProcess.start(command, directory.resolve("controller.log"));
  }

  private void awaitReady(Workspaces workspaces, MeasuredProcess process) {
    for (int i = 0; i < providers; i++) {
      KubeClient provider = workspaces.client("p" + i);
      Patience.await(
          "all rules of provider " + i + " are ready",
          () -> {
            process.requireAlive();
            return list(provider, DependencyRule.TYPE).stream()
                    .allMatch(rule -> rule.hasCondition("Ready"))
                ? Optional.of(true)
                : Optional.empty();
          });
    }
  }

  private long writtenByAnother(Workspaces workspaces, Map<String, String> before) {
    try (var process = start(workspaces)) {
      process.awaitReady("the controller is ready again", readiness());
      Patience.rest(Duration.ofSeconds(restSeconds));
      process.requireAlive();
      Map<String, String> after = versions(workspaces);
      if (!after.keySet().equals(before.keySet())) {
        throw new HarnessFailure("Objects came or went when the controller started again");
      }
      return after.entrySet().stream()
          .filter(entry -> !entry.getValue().equals(before.get(entry.getKey())))
          .count();
    }
  }

  private Map<String, String> versions(Workspaces workspaces) {
    var versions = new TreeMap<String, String>();
    for (int i = 0; i < providers; i++) {
      for (ResourceType type : List.of(DependencyRule.TYPE, CONFIGURATIONS)) {
        for (KubeObject object : list(workspaces.client("p" + i), type)) {
          versions.put(i + "/" + type + "/" + object.name(), object.resourceVersion());
        }
      }
    }
    return versions;
  }

  private static List<KubeObject> list(KubeClient client, ResourceType type) {
    return client.list(type, ListQuery.ALL).items();
  }

  private static KubeObject rule(int number, String target) {
    return Manifests.ofResource(
            "/controller-benchmark/rule.yaml",
            Map.of("number", Integer.toString(number), "target", target))
        .getFirst();
  }
}
