package dev.mooring.cli.diff;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.ExitCode;
import dev.mooring.cli.manifest.Manifest;
import dev.mooring.cli.manifest.ManifestReader;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.output.Table;
import dev.mooring.cli.published.Publications;
import dev.mooring.cli.published.PublishingOption;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mooring diff}: exit status 1 if consumers' objects may break. */
@Command(
    name = "diff",
    description = {
      "Reports what a changed CustomResourceDefinition or PublishedResource does to consumers:"
          + " fields and versions that go, validations that get stricter.",
      "Objects of NEW take the place of those of OLD with the same kind and name; others stay."
          + " CustomResourceDefinitions without a PublishedResource are compared as if published."
    },
    footer = {
      "%nExamples:",
      "  mooring diff crd.yaml crd-new.yaml",
      "  mooring diff deploy/ crd-new.yaml -o json",
      "  kubectl get crd certificates.pki.example.corp -o yaml | mooring diff - crd-new.yaml"
    })
public final class DiffCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "OLD",
      description = "YAML or JSON file, directory, or - for standard input.")
  private String before;

  @Parameters(index = "1", paramLabel = "NEW", description = "The same.")
  private String after;

  @Option(
      names = "--api-group",
      paramLabel = "GROUP",
      defaultValue = "",
      description = "As the agent's property api-group.")
  private String apiGroup;

  @Mixin private PublishingOption publishing;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    Map<String, Manifest.Parsed> old = byName(before);
    var all = new LinkedHashMap<>(old);
    all.putAll(byName(after));
    var oldPublications = new Publications(List.copyOf(old.values()));
    var newPublications = new Publications(List.copyOf(all.values()));
    List<KubeObject> resources = newPublications.resourcesOrDefinitions();
    if (resources.isEmpty()) {
      throw CommandFailure.badInput(
          "there is no PublishedResource and no CustomResourceDefinition in "
              + before
              + " and "
              + after);
    }
    Map<String, KubeObject> oldResources =
        oldPublications.resourcesOrDefinitions().stream()
            .collect(Collectors.toMap(KubeObject::name, resource -> resource));
    List<PublicationDiff> diffs =
        resources.stream()
            .map(resource ->
                PublicationDiff.of(
                    resource.name(),
                    oldPublications.of(
                        oldResources.getOrDefault(resource.name(), resource), apiGroup),
                    newPublications.of(resource, apiGroup),
                    publishing.value()))
            .toList();
    print(diffs);
    return diffs.stream().anyMatch(diff -> diff.verdict().isHarmful())
        ? ExitCode.FOUND
        : ExitCode.OK;
  }

  private static Map<String, Manifest.Parsed> byName(String source) {
    var named = new LinkedHashMap<String, Manifest.Parsed>();
    ManifestReader.readObjects(List.of(source), System.in)
        .forEach(manifest -> named.put(manifest.title(), manifest));
    return named;
  }

  private void print(List<PublicationDiff> diffs) {
    output.print(
        new Table(PublicationDiff.COLUMNS, diffs.stream().flatMap(PublicationDiff::rows).toList()),
        diffs.stream().map(PublicationDiff::tree).toList());
    diffs.stream()
        .filter(diff -> diff.verdict() == PublicationDiff.Verdict.BREAKING)
        .map(DiffCommand::summary)
        .forEach(output::printSummary);
  }

  private static String summary(PublicationDiff diff) {
    return switch (diff.rollout()) {
      case AT_ONCE ->
          "The agent applies it to %s at once; objects of consumers may be refused or lose"
                  .formatted(diff.name())
              + " fields. To be asked first, set spec.synchronization.schemaChanges to"
              + " RequireApproval.";
      case WHEN_APPROVED ->
          "The agent waits until PublishedResource %s has the annotation %s: %s"
              .formatted(diff.name(), SyncMarks.APPROVED_SCHEMA, diff.schema());
      case WHEN_APPLIED ->
          "Objects of consumers may be refused or lose fields when what mooring render prints of %s"
                  .formatted(diff.name())
              + " is applied.";
    };
  }
}
