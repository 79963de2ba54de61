package dev.mooring.cli.migrate.protection;

import dev.mooring.cli.live.LiveOptions;
import dev.mooring.cli.manifest.ManifestReader;
import dev.mooring.cli.migrate.Change;
import dev.mooring.cli.output.OutputOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
      "%nExample:",
      "  mooring migrate check dependency-controller --kubeconfig=controller.kubeconfig"
          + " --webhook-url=https://webhook.example.org:9443/validate"
          + " --webhook-ca-bundle-path=ca.pem"
    })
public final class ProtectionCheckCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "FLAG",
      description = "The flags that the Go controller runs with.")
  private List<String> flags = List.of();

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    ProtectionFlags controller = ProtectionFlags.read(flags);
    Path kubeconfig = controller.kubeconfig().orElseGet(LiveOptions::ofEnvironment);
    try (LiveOptions.Server kcp = LiveOptions.server(kubeconfig, LiveOptions.options(""))) {
      return Change.report(
          output,
          ProtectionChanges.of(
              new ProtectionReader(controller, kcp.connection()).read(),
              ManifestReader.ofResource("/schema/apiresourceschema.yaml").name(),
              Instant.now()));
    }
  }
}
