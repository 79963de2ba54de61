package dev.mooring.cli.migrate.agent;

import dev.mooring.cli.live.LiveOptions;
import dev.mooring.cli.manifest.ManifestReader;
import dev.mooring.cli.migrate.Change;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.published.AgentClusters;
import dev.mooring.cli.published.Publications;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mooring migrate check api-syncagent}: exit status 1 if there is something to do first. */
@Command(
    name = "api-syncagent",
    description = {
      "Reports what changes when the sync agent takes over from a running api-syncagent: schemas,"
          + " permission claims, copies, states, finalizers, the Lease, and rights that are"
          + " missing.",
      "It reads both clusters with the agent's own kubeconfigs and writes nothing. Verdicts: same,"
          + " changes (nothing to do), act (do this first), refused (is not synced any more)."
    },
    footer = {
      "%nExamples:",
      "  mooring migrate check api-syncagent --agent-name=certs-syncagent --namespace=kcp-system"
          + " --kcp-kubeconfig=kcp.kubeconfig --apiexportendpointslice-ref=certs",
      "  mooring migrate check api-syncagent -f new/ -o json --kubeconfig=service.kubeconfig"
          + " --kcp-kubeconfig=kcp.kubeconfig --apiexportendpointslice-ref=certs"
    })
public final class AgentCheckCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "FLAG",
      description = "The flags that api-syncagent runs with.")
  private List<String> flags;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description =
          "YAML or JSON files, directories, or - with PublishedResources in place of those on the"
              + " service cluster, and CustomResourceDefinitions.")
  private List<String> files = List.of();

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    AgentFlags agent = AgentFlags.read(flags);
    var published = new Publications(ManifestReader.readObjects(files, System.in));
    ConnectionOptions options = LiveOptions.options("");
    Path kubeconfig = agent.kubeconfig().orElseGet(LiveOptions::ofEnvironment);
    AgentFacts facts;
    try (LiveOptions.Server kcp = LiveOptions.server(agent.kcpKubeconfig(), options);
        LiveOptions.Server service =
            LiveOptions.server(
                kubeconfig,
                options.withServer(agent.serverOverride()).trusting(agent.caOverride()))) {
      var clusters =
          AgentClusters.of(
              service.client(),
              kcp,
              "--apiexportendpointslice-ref",
              agent.endpointSlice(),
              agent.endpointOverrides());
      facts = new AgentReader(agent, published, clusters).read();
    }
    return Change.report(output, AgentChanges.of(facts, Instant.now()));
  }
}
