package dev.mooring.cli.migrate.protection;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.live.LiveOptions;
import dev.mooring.cli.manifest.Manifest;
import dev.mooring.cli.manifest.ManifestReader;
import dev.mooring.cli.migrate.Change;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.object.KubeObject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code mooring migrate check dependency-controller}: exit status 1 if there is something to do
 * first.
 */
@Command(
    name = "dependency-controller",
    description = {
      "Reports what changes when the dependency controller takes over from the Go program: rules"
          + " that do not count, webhook configurations that are replaced, certificates, and rights"
          + " that are missing.",
      "It reads kcp with the controller's own kubeconfig and writes nothing. Verdicts: same,"
          + " changes (nothing to do), act (do this first), refused (does not protect any more)."
    },
    footer = {
      "%nExamples:",
      "  mooring migrate check dependency-controller --kubeconfig=controller.kubeconfig"
          + " --webhook-url=https://webhook.example.org:9443/validate"
          + " --webhook-ca-bundle-path=ca.pem",
      "  mooring migrate check dependency-controller -f rules.yaml -o json"
          + " --kubeconfig=controller.kubeconfig"
          + " --webhook-url=https://webhook.example.org:9443/validate",
      "  mooring migrate check dependency-controller --webhook-flags '--webhook-port=9443"
          + " --tls-cert-dir=/tls' --webhook-url=https://webhook.example.org:9443/validate"
    })
public final class ProtectionCheckCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "FLAG",
      description = "The flags that the Go controller runs with.")
  private List<String> flags = List.of();

  @Option(
      names = "--webhook-flags",
      paramLabel = "FLAGS",
      description =
          "The flags that the Go webhook runs with, in one argument, to check them as well.")
  private String webhookFlags;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description =
          "YAML or JSON files, directories, or - with DependencyRules in place of those in kcp."
              + " Each needs the annotation kcp.io/cluster, which kubectl get -o yaml shows.")
  private List<String> files = List.of();

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    ProtectionFlags controller = ProtectionFlags.read(flags, webhookFlags());
    List<KubeObject> rules =
        ManifestReader.readObjects(files, System.in).stream()
            .filter(manifest -> manifest.object().kind().equals(DependencyRule.KIND))
            .map(ProtectionCheckCommand::inCluster)
            .toList();
    if (rules.isEmpty() && !files.isEmpty()) {
      throw CommandFailure.badInput("there is no DependencyRule in " + String.join(", ", files));
    }
    Path kubeconfig = controller.kubeconfig().orElseGet(LiveOptions::ofEnvironment);
    try (LiveOptions.Server kcp = LiveOptions.server(kubeconfig, LiveOptions.options(""))) {
      return Change.report(
          output,
          ProtectionChanges.of(
              new ProtectionReader(controller, rules, kcp.connection()).read(),
              ManifestReader.ofResource("/schema/apiresourceschema.yaml").name(),
              Instant.now()));
    }
  }

  private Optional<List<String>> webhookFlags() {
    return Optional.ofNullable(webhookFlags).map(text -> List.of(text.strip().split("\\s+")));
  }

  private static KubeObject inCluster(Manifest.Parsed manifest) {
    if (manifest.object().logicalCluster().isEmpty()) {
      throw CommandFailure.badInput(
          "%s:%d: %s lacks the annotation kcp.io/cluster, which names its workspace's logical cluster"
              .formatted(manifest.file(), manifest.lines().of("metadata"), manifest.title()));
    }
    return manifest.object();
  }
}
