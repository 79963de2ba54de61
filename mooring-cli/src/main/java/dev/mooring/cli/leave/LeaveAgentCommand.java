package dev.mooring.cli.leave;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.live.LiveOptions;
import dev.mooring.cli.live.ServiceClusterOptions;
import dev.mooring.cli.published.AgentClusters;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.export.EndpointOverrides;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mooring leave agent}: exit status 1 as long as steps are left. */
@Command(
    name = "agent",
    description = {
      "Takes a sync agent out: stops the syncing, keeps or deletes the copies, removes finalizers"
          + " from consumers' objects, states and PublishedResources, and the APIExport if asked"
          + " for. Consumers' objects stay. Shows the steps; takes them with --yes.",
      "Needs an administrator's rights in the workspace of the APIExportEndpointSlice and on the"
          + " service cluster. A run that was interrupted goes on when run again."
    },
    footer = {
      "%nExamples:",
      "  mooring leave agent --copies keep --endpoint-slice certs --workspace root:org:certs"
          + " --service-context service",
      "  mooring leave agent --copies delete --endpoint-slice certs --namespace kcp-system"
          + " --service-kubeconfig service.kubeconfig --yes"
    })
final class LeaveAgentCommand implements Callable<Integer> {
  @Option(
      names = "--copies",
      paramLabel = "CHOICE",
      required = true,
      description =
          "Of consumers' objects on the service cluster: ${COMPLETION-CANDIDATES}. Kept copies lose"
              + " the agent's labels and annotations; objects that the agent has adopted are always"
              + " kept.")
  private Choice copies;

  @Option(
      names = "--endpoint-slice",
      paramLabel = "NAME",
      required = true,
      description = "As the agent's --apiexportendpointslice-ref.")
  private String endpointSlice;

  @Option(
      names = "--agent-name",
      paramLabel = "NAME",
      description = "As the agent's --agent-name (default: <endpoint slice>-syncagent).")
  private @Nullable String agentName;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      defaultValue = "default",
      description = "As the agent's --namespace (default: ${DEFAULT-VALUE}).")
  private String namespace;

  @Option(
      names = "--published-resource-selector",
      paramLabel = "SELECTOR",
      defaultValue = "",
      description = "As the agent's (default: all PublishedResources).")
  private String selector;

  @Option(
      names = "--api-group",
      paramLabel = "GROUP",
      defaultValue = "",
      description = "As the agent's property api-group.")
  private String apiGroup;

  @Option(
      names = "--agent-stopped",
      description =
          "The agent does not run any more: do not wait until it reports that it stopped syncing.")
  private boolean stopped;

  @Option(
      names = "--export-objects",
      paramLabel = "CHOICE",
      description =
          "APIExport and its APIResourceSchemas: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}). They are deleted once no workspace binds the APIExport.")
  private Choice exportObjects = Choice.keep;

  @Mixin private Departure departure;
  @Mixin private LiveOptions live;
  @Mixin private ServiceClusterOptions serviceCluster;

  @Override
  public Integer call() {
    try (LiveOptions.Server kcp = live.server();
        LiveOptions.Server service =
            serviceCluster
                .server(live)
                .orElseThrow(() ->
                    CommandFailure.badInput(
                        "name the service cluster with --service-kubeconfig or"
                            + " --service-context"))) {
      return departure.carryOut(steps(kcp, service.client()), afterwards());
    }
  }

  private List<Step> steps(LiveOptions.Server kcp, KubeClient service) {
    var clusters =
        AgentClusters.of(service, kcp, "--endpoint-slice", endpointSlice, EndpointOverrides.NONE);
    var agent = new AgentDeparture(clusters, name(), namespace, selector, apiGroup);
    var steps = new ArrayList<>(List.of(agent.syncing()));
    if (!stopped) {
      steps.add(agent.report());
    }
    steps.addAll(agent.copies(copies));
    steps.addAll(agent.marks());
    if (exportObjects == Choice.delete) {
      steps.addAll(agent.export());
    }
    return steps;
  }

  private List<String> afterwards() {
    return List.of(
        "Left to do: stop the agent, or helm uninstall the release; delete Lease syncagent.%s in namespace %s,"
                .formatted(name(), namespace)
            + " rbac-agent.yaml on the service cluster and rbac-agent-workspace.yaml in kcp, and"
            + " the CustomResourceDefinition of PublishedResources if no other agent uses it.");
  }

  private String name() {
    return agentName == null ? endpointSlice + "-syncagent" : agentName;
  }
}
