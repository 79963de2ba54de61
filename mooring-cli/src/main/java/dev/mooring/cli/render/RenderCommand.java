package dev.mooring.cli.render;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.ExitCode;
import dev.mooring.cli.live.Types;
import dev.mooring.cli.manifest.Manifest;
import dev.mooring.cli.manifest.ManifestReader;
import dev.mooring.cli.output.ObjectFiles;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.output.Table;
import dev.mooring.cli.published.AgentRights;
import dev.mooring.cli.published.ExportRendering;
import dev.mooring.cli.published.Publications;
import dev.mooring.cli.published.PublishingOption;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mooring render}: exit status 1 if the agent would report a problem. */
@Command(
    name = "render",
    description = {
      "Prints what the sync agent makes of PublishedResources: APIResourceSchemas, the APIExport,"
          + " permissions on the service cluster, and copies of sample objects.",
      "The files hold PublishedResources with the CustomResourceDefinitions of their types, and may"
          + " hold the APIExport and the APIResourceSchemas that kcp has. Nothing is read from a"
          + " cluster."
    },
    footer = {
      "%nExamples:",
      "  mooring render crds/ published/ --only schemas,export > kcp.yaml",
      "  mooring render service-cluster/ kcp/ --only schemas,export --output-directory kcp/",
      "  mooring render crds/ published/ --only copies --sample certificate.yaml",
      "  mooring render crds/ published/ --only values > permissions.yaml"
    })
public final class RenderCommand implements Callable<Integer> {
  /** What is printed; in lower case, as users type it. */
  private enum Part {
    schemas,
    export,
    rbac,
    copies,
    values
  }

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "YAML or JSON files, directories, or - for standard input.")
  private List<String> files;

  @Option(
      names = "--sample",
      paramLabel = "FILE",
      description = "Consumers' objects, whose copies are printed.")
  private List<String> samples = List.of();

  @Option(
      names = "--only",
      paramLabel = "PART",
      split = ",",
      description =
          "Of ${COMPLETION-CANDIDATES}; values are those of the chart for the agent's permissions"
              + " (default: all but values).")
  private List<Part> only = List.of(Part.schemas, Part.export, Part.rbac, Part.copies);

  @Option(
      names = "--export",
      paramLabel = "NAME",
      defaultValue = "example",
      description = "Name of an APIExport that no file holds (default: ${DEFAULT-VALUE}).")
  private String exportName;

  @Option(
      names = "--agent-name",
      paramLabel = "NAME",
      description = "As the agent's --agent-name (default: <export>-syncagent).")
  private String agentName;

  @Option(
      names = "--api-group",
      paramLabel = "GROUP",
      defaultValue = "",
      description = "As the agent's property api-group.")
  private String apiGroup;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      defaultValue = "2hh1nlb5kf5kw3rh",
      description = "The samples' logical cluster (default: ${DEFAULT-VALUE}, an example).")
  private String cluster;

  @Option(
      names = "--cluster-path",
      paramLabel = "PATH",
      description = "The samples' workspace, for templates that use it.")
  private String clusterPath;

  @Option(
      names = "--output-directory",
      paramLabel = "DIR",
      description =
          "Write each object into a YAML file of this directory, and print the files' names. Other"
              + " files stay. If there are objects for kcp and for the service cluster, they go"
              + " into its directories kcp and service-cluster.")
  private Path outputDirectory;

  @Mixin private PublishingOption publishing;
  @Mixin private OutputOptions output = new OutputOptions(OutputOptions.Format.yaml);

  @Spec private CommandSpec spec;

  private final List<String> problems = new ArrayList<>();

  @Override
  public Integer call() {
    var publications = new Publications(ManifestReader.readObjects(files, System.in));
    if (publications.resources().isEmpty()) {
      throw CommandFailure.badInput("there is no PublishedResource in " + String.join(", ", files));
    }
    KubeObject export = export(publications);
    String agent = agentName == null ? export.name() + "-syncagent" : agentName;
    var rendering =
        new ExportRendering(
            agent,
            new ExportRendering.Writer.Anyone(),
            export,
            publications.ofKind("APIResourceSchema"));
    for (Manifest.Parsed manifest : publications.resources()) {
      rendering
          .publish(manifest.object(), publications.of(manifest.object(), apiGroup))
          .ifPresent(problem -> problems.add(at(manifest, "spec") + problem));
    }
    List<KubeObject> objects = objects(rendering, agent);
    if (!problems.isEmpty()) {
      // A part of the objects could be taken for the whole.
      problems.forEach(spec.commandLine().getErr()::println);
      spec.commandLine().getErr().flush();
      return ExitCode.FOUND;
    }
    if (outputDirectory != null) {
      write(objects);
      return ExitCode.OK;
    }
    output.printObjects(
        new Table(
            List.of("FOR", "KIND", "NAMESPACE", "NAME"),
            objects.stream()
                .map(object ->
                    List.of(server(object), object.kind(), object.namespace(), object.name()))
                .toList()),
        objects,
        object -> server(object).isEmpty() ? "" : "for " + server(object));
    return ExitCode.OK;
  }

  private void write(List<KubeObject> objects) {
    Map<String, List<KubeObject>> byServer =
        objects.stream()
            .collect(
                Collectors.groupingBy(
                    RenderCommand::server, LinkedHashMap::new, Collectors.toList()));
    byServer.forEach((server, those) ->
        ObjectFiles.write(
                byServer.size() == 1
                    ? outputDirectory
                    : outputDirectory.resolve(server.replace(' ', '-')),
                those)
            .forEach(spec.commandLine().getOut()::println));
    spec.commandLine().getOut().flush();
  }

  /** Where an object belongs; empty for the chart's values. */
  private static String server(KubeObject object) {
    return switch (object.kind()) {
      case "" -> "";
      case "APIResourceSchema", "APIExport" -> "kcp";
      default -> "service cluster";
    };
  }

  private List<KubeObject> objects(ExportRendering rendering, String agent) {
    var rights =
        new AgentRights(rendering.published(), rendering.export().name(), publishing.value());
    var objects = new ArrayList<KubeObject>();
    if (only.contains(Part.schemas)) {
      objects.addAll(rendering.schemas());
    }
    if (only.contains(Part.export)) {
      objects.add(rendering.export());
    }
    if (only.contains(Part.rbac)) {
      objects.add(rights.clusterRole(agent));
    }
    if (only.contains(Part.copies)) {
      objects.addAll(copies(rendering, agent));
    }
    if (only.contains(Part.values)) {
      objects.add(KubeObject.of(rights.chartValues()));
    }
    return objects;
  }

  private KubeObject export(Publications publications) {
    List<KubeObject> exports = publications.ofKind("APIExport");
    if (exports.size() > 1) {
      throw CommandFailure.badInput(
          "the files hold %d APIExports; an agent has one".formatted(exports.size()));
    }
    if (!exports.isEmpty()
        && !exports.getFirst().apiVersion().equals(Types.API_EXPORTS.apiVersion())) {
      throw CommandFailure.badInput(
          "APIExport %s is of %s; use apis.kcp.io/v1alpha2"
              .formatted(exports.getFirst().name(), exports.getFirst().apiVersion()));
    }
    return exports.isEmpty()
        ? KubeObject.of(Types.API_EXPORTS, "APIExport", "", exportName).with(Map.of(), "spec")
        : exports.getFirst();
  }

  private List<KubeObject> copies(ExportRendering rendering, String agent) {
    LogicalCluster of =
        LogicalCluster.parse(cluster)
            .orElseThrow(() ->
                CommandFailure.badInput(
                    "--cluster is no name of a logical cluster; a path goes into --cluster-path"));
    var renderer = new CopyRendering(agent, of, Optional.ofNullable(clusterPath));
    var copies = new ArrayList<KubeObject>();
    for (Manifest.Parsed sample : ManifestReader.readObjects(samples, System.in)) {
      CopyRendering.Result result =
          rendering.published().stream()
              .filter(ready -> CopyRendering.fits(ready, sample.object()))
              .findFirst()
              .map(ready -> renderer.copyOf(sample.object(), ready))
              .orElseGet(
                  () -> new CopyRendering.Result.None("no PublishedResource publishes its type"));
      switch (result) {
        case CopyRendering.Result.Copy(var object) -> copies.add(object);
        case CopyRendering.Result.None(var why) -> problems.add(at(sample, "metadata") + why);
      }
    }
    return copies;
  }

  private static String at(Manifest.Parsed manifest, String field) {
    return "%s:%d: %s: ".formatted(manifest.file(), manifest.lines().of(field), manifest.title());
  }
}
