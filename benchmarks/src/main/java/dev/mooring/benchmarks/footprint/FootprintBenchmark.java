package dev.mooring.benchmarks.footprint;

import dev.mooring.benchmarks.common.Comparison;
import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.Patience;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.common.ReportOptions;
import dev.mooring.benchmarks.protection.Reviews;
import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.demo.Narrator;
import dev.mooring.cli.demo.Story;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.HarnessFailure;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures what a service of an image needs: how long it takes from the start of its process until
 * it is ready, and how much memory is resident when it has nothing to do. And how long the demo
 * takes when it runs for the second time.
 */
@Command(
    name = "FootprintBenchmark",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures start and idle memory of the images' services, and the demo.")
public final class FootprintBenchmark implements Callable<Integer> {
  private static final List<Program> SERVICES =
      List.of(Program.SYNC_AGENT, Program.DEPENDENCY_CONTROLLER, Program.DEPENDENCY_WEBHOOK);
  private static final Map<Program, String> CHART =
      Map.of(
          Program.SYNC_AGENT, "syncAgent",
          Program.DEPENDENCY_CONTROLLER, "dependencyController",
          Program.DEPENDENCY_WEBHOOK, "dependencyWebhook");
  private static final String ASKED = "asked for";
  private static final String REVIEWED = "dependency-webhook, connections of API servers [MiB]";
  private static final String BOTH = "dependency-webhook, and others without a review [MiB]";

  /** As many as the webhook keeps. */
  private static final int API_SERVERS = 200;

  private static final double READY_MAX = 4;
  private static final double RESIDENT_MAX = 250;
  private static final double PEAK_MAX = 450;
  private static final double DEMO_MAX = 30;

  @Option(
      names = "--images",
      defaultValue = "images/target",
      description = "Directory of the images' tars. Default: ${DEFAULT-VALUE}")
  private Path images;

  @Option(
      names = "--runs",
      defaultValue = "3",
      description = "Starts of each service. Default: ${DEFAULT-VALUE}")
  private int runs;

  @Option(
      names = "--idle-seconds",
      defaultValue = "60",
      description = "After which memory is read. Default: ${DEFAULT-VALUE}")
  private int idleSeconds;

  @Option(
      names = "--connections",
      defaultValue = "500",
      description =
          "Clients that then open TLS connections to the webhook and send nothing, next to 200 API"
              + " servers, for as long. Default: ${DEFAULT-VALUE}")
  private int connections;

  @Option(
      names = "--java-options",
      split = " +",
      description = "For the JVM, in addition to those of image and chart.")
  private List<String> javaOptions = List.of();

  @Option(
      names = "--demo-runs",
      defaultValue = "2",
      description =
          "Of the demo, of which all but the first count; 0: none. Default: ${DEFAULT-VALUE}")
  private int demoRuns;

  @Option(
      names = "--directory",
      defaultValue = "target/footprint-benchmark",
      description = "For the images' files and logs. Default: ${DEFAULT-VALUE}")
  private Path directory;

  @Mixin private ReportOptions output = new ReportOptions();

  private final Figures figures = new Figures();
  private final ProjectLayout layout = ProjectLayout.find();

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new FootprintBenchmark()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    directory = Files.createDirectories(directory).toRealPath();
    services();
    demo();
    var comparison = new Comparison(figures, Optional.empty());
    for (Program service : SERVICES) {
      comparison.atMost(ready(image(service)), READY_MAX, ASKED);
      comparison.atMost(resident(image(service)), RESIDENT_MAX, ASKED);
    }
    comparison.atMost(REVIEWED, PEAK_MAX, ASKED);
    comparison.atMost(BOTH, PEAK_MAX, ASKED);
    for (int run = 2; run <= demoRuns; run++) {
      comparison.atMost(demoRun(run), DEMO_MAX, ASKED);
    }
    return output.finish(comparison);
  }

  private static String image(Program service) {
    return service.module().replace("-service", "");
  }

  private static String ready(String image) {
    return image + " ready [s]";
  }

  private static String resident(String image) {
    return image + " resident [MiB]";
  }

  private static String demoRun(int number) {
    return "demo, run " + number + " [s]";
  }

  /** With the demo's providers, one PublishedResource and one rule; a service at a time. */
  private void services() throws IOException {
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
        SERVICES.forEach(service -> suite.service(service).close());
        for (Program service : SERVICES) {
          measure(environment, service);
        }
      }
    }
  }

  private void measure(DemoEnvironment environment, Program service) throws IOException {
    Suite suite = environment.suite();
    String image = image(service);
    Object values = Trees.at(chart(), Objects.requireNonNull(CHART.get(service)));
    String memory = Trees.text(values, "resources", "limits", "memory");
    ImageFiles files =
        ImageFiles.unpack(images.resolve(image + ".tar"), directory.resolve("image-" + image));
    var measured = new LinkedHashMap<String, List<Double>>();
    for (int run = 0; run < runs; run++) {
      try (MemoryLimit limit =
          MemoryLimit.of(image, Long.parseLong(memory.replaceFirst("Mi$", "")))) {
        if (run == 0) {
          System.out.println(image + ", limit " + limit.text());
        }
        var variables = new HashMap<>(files.environment());
        // The entrypoint is absolute, and this machine's programs come before it.
        variables.remove("PATH");
        // As the chart sets it.
        variables.put(
            "JAVA_TOOL_OPTIONS",
            "-XX:+ExitOnOutOfMemoryError " + Trees.text(values, "javaOptions"));
        var options = new ArrayList<>(limit.javaOptions());
        options.addAll(javaOptions);
        List<String> command =
            limit.limited(files.command(suite.directory(), options, suite.arguments(service)));
        long begin = System.nanoTime();
        try (var process =
            MeasuredProcess.start(
                command, variables, directory.resolve(image + "-" + run + ".log"))) {
          process.awaitReadyAtOnce(suite.readiness(service));
          BiConsumer<String, Double> sample =
              (figure, value) ->
                  measured.computeIfAbsent(figure, _ -> new ArrayList<>()).add(value);
          sample.accept(ready(image), (System.nanoTime() - begin) / 1e9);
          sample.accept(image + " processor time until then [s]", process.cpuSeconds());
          Patience.rest(Duration.ofSeconds(idleSeconds));
          process.requireAlive();
          sample.accept(resident(image), (double) process.residentMib());
          sample.accept(
              image + " resident, without mapped files [MiB]",
              (double) process.residentAnonymousMib());
          if (service == Program.DEPENDENCY_WEBHOOK) {
            load(environment, process, sample);
          }
        }
      }
    }
    measured.forEach((figure, samples) -> figures.put(figure, median(samples)));
  }

  /** The most that was ever resident; where the limit is a control group, it has not ended it. */
  private void load(
      DemoEnvironment environment, MeasuredProcess process, BiConsumer<String, Double> sample)
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
      sample.accept(REVIEWED, (double) process.residentPeakMib());
      try (var others = WebhookClients.silent(connections, url, authority)) {
        int before = servers.served();
        rest(process, others, connections);
        HarnessFailure.unless(servers.served() > before, "The others kept out all API servers");
      }
      sample.accept(BOTH, (double) process.residentPeakMib());
    }
  }

  private void rest(MeasuredProcess process, WebhookClients clients, int least) {
    Patience.rest(Duration.ofSeconds(idleSeconds));
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

  private static double median(List<Double> values) {
    return new Quantiles(values.stream().mapToDouble(Double::doubleValue).toArray()).at(0.5);
  }

  private Object chart() throws IOException {
    return new Yaml().load(Files.readString(layout.file("charts/mooring/values.yaml")));
  }

  private void demo() throws IOException {
    for (int run = 0; run < demoRuns; run++) {
      long begin = System.nanoTime();
      try (var process =
          MeasuredProcess.start(
              List.of(
                  layout.file("mooring").toString(),
                  "demo",
                  "--check",
                  "--free-ports",
                  "--directory",
                  directory.resolve("demo").toString()),
              Map.of(),
              directory.resolve("demo-" + run + ".log"))) {
        HarnessFailure.unless(
            process.awaitEnd() == 0, "The demo has failed; see demo-" + run + ".log");
      }
      if (run > 0) {
        figures.put(demoRun(run + 1), (System.nanoTime() - begin) / 1e9);
      }
    }
  }
}
