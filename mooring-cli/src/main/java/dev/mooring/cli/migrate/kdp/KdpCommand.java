package dev.mooring.cli.migrate.kdp;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.ExitCode;
import dev.mooring.cli.manifest.Manifest;
import dev.mooring.cli.manifest.ManifestReader;
import dev.mooring.cli.migrate.kdp.KdpConversion.Note;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.output.Table;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.PublishedResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mooring migrate kdp}: exit status 1 if something has no counterpart. */
@Command(
    name = "kdp",
    description = {
      "Converts Services and PublishedResources of the Kubermatic Developer Platform (KDP) to"
          + " PublishedResources for the sync agent, and prints them.",
      "Standard error says for each field what became of it: converted, or without counterpart."
          + " Nothing is read from a cluster."
    },
    footer = {
      "%nExamples:",
      "  mooring migrate kdp service.yaml published/ > published-mooring.yaml",
      "  mooring migrate kdp published/ --api-group certificates.example.corp | mooring lint -"
    })
public final class KdpCommand implements Callable<Integer> {
  /** Of Services. */
  private static final String PLATFORM = "core.kdp.k8c.io";

  /** Of PublishedResources, in the order of KDP's releases. */
  private static final Set<String> SERVLET =
      Set.of("services.kdp.k8c.io", "syncagent.kdp.k8c.io", PublishedResource.TYPE.group());

  private static final Set<String> CATALOG = Set.of("title", "description");

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "YAML or JSON files, directories, or - for standard input.")
  private List<String> files;

  @Option(
      names = "--service",
      paramLabel = "NAME",
      description = "Of several Services in the files, that of the PublishedResources.")
  private @Nullable String service;

  @Option(
      names = "--api-group",
      paramLabel = "GROUP",
      description = "In place of a Service's spec.apiGroup.")
  private @Nullable String apiGroup;

  @Mixin private OutputOptions output = new OutputOptions(OutputOptions.Format.yaml);

  @Spec private CommandSpec spec;

  private boolean lost;

  @Override
  public Integer call() {
    List<Manifest.Parsed> manifests = ManifestReader.readObjects(files, System.in);
    List<Manifest.Parsed> published =
        manifests.stream()
            .filter(each -> SERVLET.contains(each.group()))
            .filter(each -> each.object().kind().equals(PublishedResource.KIND))
            .toList();
    Optional<Manifest.Parsed> of = service(manifests);
    if (published.isEmpty() && of.isEmpty()) {
      throw CommandFailure.badInput(
          "there is no Service and no PublishedResource of KDP in " + String.join(", ", files));
    }
    String group =
        Optional.ofNullable(apiGroup)
            .or(() -> of.map(each -> each.object().text("spec", "apiGroup")))
            .filter(text -> !text.isEmpty())
            .orElseThrow(() ->
                CommandFailure.badInput(
                    "the files hold no Service, whose API group the types have in kcp; name its"
                        + " file, too, or set --api-group"));
    of.ifPresent(manifest -> describe(manifest, group));
    var converted = new ArrayList<KubeObject>();
    for (Manifest.Parsed manifest : published) {
      KdpConversion conversion = KdpConversion.of(manifest.object(), group);
      conversion.notes().forEach(note -> say(manifest, note));
      converted.add(conversion.resource());
    }
    manifests.stream()
        .filter(each -> !published.contains(each) && !isService(each))
        .forEach(each ->
            say(
                each,
                new Note(
                    "kind",
                    Note.Kind.CONVERTED,
                    each.object().kind() + " is not KDP's; left out")));
    spec.commandLine().getErr().flush();
    output.printObjects(
        new Table(
            List.of("KIND", "NAME"),
            converted.stream().map(each -> List.of(each.kind(), each.name())).toList()),
        converted,
        _ -> "");
    return lost ? ExitCode.FOUND : ExitCode.OK;
  }

  private static boolean isService(Manifest.Parsed manifest) {
    return manifest.group().equals(PLATFORM) && manifest.object().kind().equals("Service");
  }

  private Optional<Manifest.Parsed> service(List<Manifest.Parsed> manifests) {
    List<Manifest.Parsed> services =
        manifests.stream()
            .filter(KdpCommand::isService)
            .filter(each -> service == null || service.equals(each.object().name()))
            .toList();
    if (services.size() > 1) {
      throw CommandFailure.badInput(
          "the files hold %d Services; choose one with --service, and name only its PublishedResources"
              .formatted(services.size()));
    }
    if (services.isEmpty() && service != null) {
      throw CommandFailure.badInput("there is no Service " + service + " in the files");
    }
    return services.stream().findFirst();
  }

  /** A Service is an APIExport and properties of the agent. */
  private void describe(Manifest.Parsed manifest, String group) {
    KubeObject from = manifest.object();
    say(
        manifest,
        new Note(
            "spec.apiGroup",
            Note.Kind.CONVERTED,
            "becomes projection.group; the agent needs an APIExport and an APIExportEndpointSlice,"
                + " such as "
                + group));
    for (String field : CATALOG.stream().sorted().toList()) {
      String text = from.text("spec", "catalogMetadata", field);
      if (!text.isEmpty()) {
        say(
            manifest,
            new Note(
                "spec.catalogMetadata." + field,
                Note.Kind.CONVERTED,
                "becomes the agent's property --mooring.sync-agent.service-"
                    + field
                    + "=\""
                    + text
                    + "\""));
      }
    }
    from.map("spec", "catalogMetadata").keySet().stream()
        .filter(field -> !CATALOG.contains(field))
        .sorted()
        .forEach(field -> lost(manifest, "spec.catalogMetadata." + field));
    from.map("spec").keySet().stream()
        .filter(field -> !Set.of("apiGroup", "catalogMetadata").contains(field))
        .sorted()
        .forEach(field -> lost(manifest, "spec." + field));
  }

  private void lost(Manifest.Parsed manifest, String field) {
    say(
        manifest,
        new Note(field, Note.Kind.NO_COUNTERPART, "KDP's own; Mooring has no such thing"));
  }

  private void say(Manifest.Parsed manifest, Note note) {
    lost |= note.kind() == Note.Kind.NO_COUNTERPART;
    spec.commandLine()
        .getErr()
        .printf(
            "%s:%d: %s: %s %s: %s%n",
            manifest.file(),
            manifest.lines().of(note.field()),
            manifest.title(),
            note.kind() == Note.Kind.CONVERTED ? "converted" : "no counterpart:",
            note.field(),
            note.message());
  }
}
