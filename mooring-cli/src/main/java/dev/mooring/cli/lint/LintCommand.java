package dev.mooring.cli.lint;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.ExitCode;
import dev.mooring.cli.lint.Finding.Severity;
import dev.mooring.cli.manifest.ManifestReader;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.output.Table;
import dev.mooring.cli.published.PublishingOption;
import dev.mooring.model.dependency.WebhookContract;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mooring lint}: exit status 1 if there are errors. */
@Command(
    name = "lint",
    description = {
      "Reports what an API server or the services would refuse or ignore in PublishedResources,"
          + " DependencyRules and CustomResourceDefinitions.",
      "CustomResourceDefinitions among the files let the command check versions, projections and"
          + " paths as well. Objects of other kinds are not checked."
    },
    footer = {
      "%nExamples:",
      "  mooring lint published-certificates.yaml",
      "  mooring lint deploy/ -o json",
      "  kubectl get dependencyrules -o yaml | mooring lint -"
    })
public final class LintCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "YAML or JSON files, directories, or - for standard input.")
  private List<String> files;

  @Mixin private PublishingOption publishing;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    Linter.Report report = Linter.lint(ManifestReader.read(files, System.in), publishing.value());
    if (report.checked() == 0 && report.findings().isEmpty()) {
      throw CommandFailure.badInput(
          "there is no PublishedResource, DependencyRule or CustomResourceDefinition in "
              + String.join(", ", files));
    }
    output.print(
        new Table(Finding.COLUMNS, report.findings().stream().map(Finding::row).toList()),
        report.findings().stream().map(Finding::tree).toList());
    long errors = report.count(Severity.ERROR);
    output.printSummary(
        "checked %s: %s, %s"
            .formatted(
                counted(report.checked(), "object"),
                counted(errors, "error"),
                counted(report.count(Severity.WARNING), "warning")));
    if (!report.dependents().isEmpty()) {
      output.printSummary(
          report.dependents().stream()
              .map(WebhookContract::readable)
              .collect(
                  Collectors.joining(
                      ", ",
                      "dependents of these rules, for the chart: "
                          + WebhookContract.READABLE_TYPES
                          + ": [",
                      "]")));
    }
    return errors == 0 ? ExitCode.OK : ExitCode.FOUND;
  }

  private static String counted(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
