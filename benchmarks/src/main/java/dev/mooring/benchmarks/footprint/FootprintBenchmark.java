package dev.mooring.benchmarks.footprint;

import dev.mooring.benchmarks.common.BenchmarkProgram;
import dev.mooring.benchmarks.common.Limit;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.MeasuredProcess.Resident;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.common.Waiting;
import dev.mooring.benchmarks.protection.Reviews;
import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.demo.Narrator;
import dev.mooring.cli.demo.Story;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.Program;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what a service of an image needs: how long it takes from the start of its process until
 * it is ready, and how much memory is resident when it has nothing to do.
 */
@Command(
    name = "footprint-benchmark",
    description = "Measures start and idle memory of the images' services.")
public final class FootprintBenchmark extends BenchmarkProgram {
  /** The services, with their names in the chart's values. */
  private static final Map<Program, String> SERVICES =
      new EnumMap<>(
          Map.of(
              Program.SYNC_AGENT, "syncAgent",
              Program.DEPENDENCY_CONTROLLER, "dependencyController",
              Program.DEPENDENCY_WEBHOOK, "dependencyWebhook"));

  /** As many as the webhook keeps. */
  private static final int API_SERVERS = 200;

  private static final String READY = "ready [s]";
  private static final String RESIDENT = "resident [MiB]";
  private static final String REVIEWED = "connections of API servers [MiB]";
  private static final String BOTH = "and others without a review [MiB]";

  @Option(
      names = "--images",
      defaultValue = "images/target",
      description = "Directory of the images' tars.")
  private Path images;

  @Option(names = "--runs", defaultValue = "3", description = "Starts of each service.")
  private int runs;

  @Option(
      names = "--idle-seconds",
      defaultValue = "60",
      description = "After which memory is read.")
  private int idleSeconds;

  @Option(
      names = "--connections",
      defaultValue = "500",
      description =
          "Clients that then open TLS connections to the webhook and send nothing, next to 200 API"
              + " servers, for as long.")
  private int connections;

  @Option(
      names = "--java-options",
      split = " +",
      description = "For the JVM, in addition to those of image and chart.")
  private List<String> javaOptions = List.of();

  private final ProjectLayout layout = ProjectLayout.find();

  public static void main(String[] arguments) {
    run(new FootprintBenchmark(), arguments);
  }

  /** With the demo's providers, one PublishedResource and one rule; a service at a time. */
  @Override
  protected void measure() throws IOException {
    directory = directory.toRealPath();
    Path work = Files.createDirectories(directory.resolve("suite"));
    try (var suite = new Suite(layout, work, PortPlan.free(), new KcpChoice.Sandbox());
        var story = new PrintStream(work.resolve("story.log").toFile(), StandardCharsets.UTF_8)) {
      suite.launchClusters();
      try (var environment =
          new DemoEnvironment(
              suite,
              WorkspacePath.ROOT.child("footprint"),
              suite.awaitKcp(),
              suite.awaitServiceCluster())) {
        var narrator = new Narrator(story, Narrator.Look.PLAIN);
        Story.of(environment, narrator, Duration.ofMinutes(2)).prepare();
        SERVICES.keySet().forEach(service -> suite.service(service).close());
        Object chart = new Yaml().load(Files.readString(layout.file("charts/mooring/values.yaml")));
        for (var service : SERVICES.entrySet()) {
          measure(environment, service.getKey(), Trees.map(chart, service.getValue()));
        }
      }
    }
  }

  /**
   * @param values of the service in the chart
   */
  private void measure(DemoEnvironment environment, Program service, Object values)
      throws IOException {
    String image = service.module().replace("-service", "");
    ImageFiles files =
        ImageFiles.unpack(images.resolve(image + ".tar"), directory.resolve("image-" + image));
    String memory = Trees.text(values, "resources", "limits", "memory").replaceFirst("Mi$", "");
    var variables = new HashMap<>(files.environment());
    // The entrypoint is absolute, and this machine's programs come before it.
    variables.remove("PATH");
    // As the chart sets it.
    variables.put(
        "JAVA_TOOL_OPTIONS", "-XX:+ExitOnOutOfMemoryError " + Trees.text(values, "javaOptions"));
    var samples = new LinkedHashMap<String, List<Double>>();
    for (int run = 0; run < runs; run++) {
      Path log = directory.resolve(image + "-" + run + ".log");
      try (MemoryLimit limit = MemoryLimit.of(image, Long.parseLong(memory))) {
        System.out.println(image + ", limit " + limit.text());
        var sample = new LinkedHashMap<String, Double>();
        List<String> command = command(environment.suite(), service, files, limit);
        long begin = System.nanoTime();
        try (var process = MeasuredProcess.start(command, variables, log);
            var probe = HttpProbe.plain()) {
          process.awaitReadyAtOnce(environment.suite().readiness(service), probe);
          sample.put(READY, Quantiles.millisSince(begin) / 1e3);
          sample.put("processor time until then [s]", process.cpuSeconds());
          Waiting.rest(Duration.ofSeconds(idleSeconds));
          process.requireAlive();
          sample.put(RESIDENT, process.residentMib(Resident.NOW));
          sample.put(
              "resident, without mapped files [MiB]", process.residentMib(Resident.ANONYMOUS));
          if (service == Program.DEPENDENCY_WEBHOOK) {
            load(environment, process, sample);
          }
        }
        sample.forEach(
            (figure, value) -> samples.computeIfAbsent(figure, _ -> new ArrayList<>()).add(value));
      }
    }
    samples.forEach((figure, each) ->
        ours.put(image + " " + figure, new Quantiles(each).median(), limits(figure)));
  }

  private static Limit[] limits(String figure) {
    return switch (figure) {
      case READY -> new Limit[] {Limit.atMost(4)};
      case RESIDENT -> new Limit[] {Limit.atMost(250)};
      case REVIEWED, BOTH -> new Limit[] {Limit.atMost(450)};
      default -> new Limit[0];
    };
  }

  private List<String> command(Suite suite, Program service, ImageFiles files, MemoryLimit limit) {
    var options = new ArrayList<>(limit.javaOptions());
    options.addAll(javaOptions);
    return limit.limited(files.command(suite.directory(), options, suite.arguments(service)));
  }

  /** The most that was ever resident; where the limit is a control group, it has not ended it. */
  private void load(
      DemoEnvironment environment, MeasuredProcess process, Map<String, Double> sample)
      throws IOException {
    String file =
        environment
            .suite()
            .argument(
                Program.DEPENDENCY_CONTROLLER,
                "--mooring.dependency-controller.webhook-ca-bundle-path");
    byte[] authority = Files.readAllBytes(Path.of(file));
    URI url = reviewUrl(environment);
    try (var servers = WebhookClients.reviewing(API_SERVERS, url, authority, review(environment))) {
      rest(process, servers, API_SERVERS);
      sample.put(REVIEWED, process.residentMib(Resident.PEAK));
      try (var others = WebhookClients.silent(connections, url, authority)) {
        int before = servers.served();
        rest(process, others, connections);
        HarnessFailure.unless(servers.served() > before, "The others kept out all API servers");
      }
      sample.put(BOTH, process.residentMib(Resident.PEAK));
    }
  }

  private void rest(MeasuredProcess process, WebhookClients clients, int least) {
    Waiting.rest(Duration.ofSeconds(idleSeconds));
    process.requireAlive();
    HarnessFailure.unless(
        clients.served() >= least, "The webhook has served " + clients.served() + " of " + least);
  }

  /** As the controller has signed it for the provider of networks. */
  private static URI reviewUrl(DemoEnvironment environment) {
    KubeObject guard =
        environment
            .network()
            .client()
            .find(Types.WEBHOOK_CONFIGURATIONS, "", "dependency-controller")
            .orElseThrow();
    return URI.create(Trees.text(guard.list("webhooks").getFirst(), "clientConfig", "url"));
  }

  /** Of the deletion of a VPC that nothing refers to. */
  private static byte[] review(DemoEnvironment environment) {
    LogicalCluster consumer =
        environment
            .blue()
            .client()
            .find(Types.NAMESPACES, "", "default")
            .flatMap(KubeObject::logicalCluster)
            .orElseThrow();
    return Reviews.of(Types.VPCS, "VPC", consumer).apply("free", 0);
  }
}
