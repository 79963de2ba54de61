package dev.mooring.benchmarks.footprint;

import dev.mooring.benchmarks.common.Comparison;
import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.Patience;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.demo.Kubectl;
import dev.mooring.cli.demo.Narrator;
import dev.mooring.cli.demo.Providers;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.Program;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;
import picocli.CommandLine.Command;
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
  private static final String PEAK = "dependency-webhook, connections without a review [MiB]";
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
          "Clients that then open TLS connections to the webhook and send nothing, for as long."
              + " Default: ${DEFAULT-VALUE}")
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

  @Option(names = "--json", description = "File for the figures.")
  private Path json;

  @Option(names = "--strict", description = "Fail if a target is missed.")
  private boolean strict;

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
    if (json != null) {
      Files.writeString(json, KubeJson.writeText(new HashMap<>(figures.all())));
    }
    var comparison = new Comparison(figures, Optional.empty());
    for (Program service : SERVICES) {
      comparison.atMost(ready(image(service)), READY_MAX, ASKED);
      comparison.atMost(resident(image(service)), RESIDENT_MAX, ASKED);
    }
    comparison.atMost(PEAK, PEAK_MAX, ASKED);
    for (int run = 2; run <= demoRuns; run++) {
      comparison.atMost(demoRun(run), DEMO_MAX, ASKED);
    }
    comparison.print();
    return strict && comparison.missed() > 0 ? 1 : 0;
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
        Providers.prepare(
            environment,
            narrator,
            new Kubectl(
                narrator,
                work.resolve("manifests"),
                suite::requireAllAlive,
                Duration.ofMinutes(2)));
        SERVICES.forEach(service -> suite.service(service).close());
        for (Program service : SERVICES) {
          measure(suite, service);
        }
      }
    }
  }

  private void measure(Suite suite, Program service) throws IOException {
    String image = image(service);
    Object values = Trees.at(chart(), Objects.requireNonNull(CHART.get(service)));
    String memory = Trees.text(values, "resources", "limits", "memory");
    ImageFiles files =
        ImageFiles.unpack(images.resolve(image + ".tar"), directory.resolve("image-" + image));
    var ready = new ArrayList<Double>();
    var resident = new ArrayList<Double>();
    var heapAndNative = new ArrayList<Double>();
    var cpu = new ArrayList<Double>();
    var peaks = new ArrayList<Double>();
    for (int run = 0; run < runs; run++) {
      try (MemoryLimit limit =
          MemoryLimit.of(image, Long.parseLong(memory.replaceFirst("Mi$", "")))) {
        if (run == 0) {
          System.out.println(image + ", limit " + limit.text());
        }
        var environment = new HashMap<>(files.environment());
        // The entrypoint is absolute, and this machine's programs come before it.
        environment.remove("PATH");
        // As the chart sets it.
        environment.put(
            "JAVA_TOOL_OPTIONS",
            "-XX:+ExitOnOutOfMemoryError " + Trees.text(values, "javaOptions"));
        var options = new ArrayList<>(limit.javaOptions());
        options.addAll(javaOptions);
        List<String> command =
            limit.limited(files.command(suite.directory(), options, suite.arguments(service)));
        long begin = System.nanoTime();
        try (var process =
            MeasuredProcess.start(
                command, environment, directory.resolve(image + "-" + run + ".log"))) {
          process.awaitReadyAtOnce(suite.readiness(service));
          ready.add((System.nanoTime() - begin) / 1e9);
          cpu.add(process.cpuSeconds());
          Patience.rest(Duration.ofSeconds(idleSeconds));
          process.requireAlive();
          resident.add((double) process.residentMib());
          heapAndNative.add((double) process.residentAnonymousMib());
          if (service == Program.DEPENDENCY_WEBHOOK) {
            peaks.add(peakWithConnections(suite, process));
          }
        }
      }
    }
    figures.put(ready(image), median(ready));
    figures.put(image + " processor time until then [s]", median(cpu));
    figures.put(resident(image), median(resident));
    figures.put(image + " resident, without mapped files [MiB]", median(heapAndNative));
    if (!peaks.isEmpty()) {
      figures.put(PEAK, median(peaks));
    }
  }

  /** The most that was ever resident; where the limit is a control group, it has not ended it. */
  private double peakWithConnections(Suite suite, MeasuredProcess process) throws IOException {
    Path authority =
        Path.of(
            suite.argument(
                Program.DEPENDENCY_CONTROLLER,
                "--mooring.dependency-controller.webhook-ca-bundle-path"));
    try (var clients =
        new SilentClients(connections, suite.ports().admission(), Files.readAllBytes(authority))) {
      Patience.rest(Duration.ofSeconds(idleSeconds));
      process.requireAlive();
      HarnessFailure.unless(
          clients.opened() >= connections, "The webhook took " + clients.opened() + " connections");
    }
    return process.residentPeakMib();
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
