package dev.mooring.cli.status;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.ExitCode;
import dev.mooring.cli.live.AllManagementUrls;
import dev.mooring.cli.live.LiveOptions;
import dev.mooring.cli.live.Service;
import dev.mooring.cli.live.ServiceClusterOptions;
import dev.mooring.cli.live.Types;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.output.Table;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code mooring status}: exit status 1 if something is not ready or a named service does not
 * answer.
 */
@Command(
    name = "status",
    description = {
      "Shows in one table whether the services are ready, in which version and since when, and what"
          + " they report on PublishedResources and DependencyRules: whether each is ready, and if"
          + " not, the condition that says why.",
      "PublishedResources are on the service cluster, DependencyRules in workspaces of providers."
          + " A service is asked if its URL is named, without a token."
    },
    footer = {
      "%nExamples:",
      "  mooring status",
      "  mooring status --context kcp --workspace root:org:network",
      "  mooring status --agent-url http://localhost:8085 --service-context cluster",
      "  mooring status -o json | jq '.[] | select(.state != \"ready\")'"
    })
public final class StatusCommand implements Callable<Integer> {
  @Mixin private LiveOptions live;
  @Mixin private ServiceClusterOptions serviceCluster;
  @Mixin private AllManagementUrls management;
  @Mixin private OutputOptions output;

  private final List<ObjectStatus> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  @Override
  public Integer call() {
    var unasked = new ArrayList<String>();
    for (Service service : Service.values()) {
      management
          .find(service)
          .ifPresentOrElse(
              named -> rows.add(ServiceStatus.read(named)),
              () -> unasked.add("%s (%s)".formatted(service.title(), service.option())));
    }
    if (!unasked.isEmpty()) {
      notes.add("not asked: " + String.join(", ", unasked));
    }
    live.find()
        .ifPresentOrElse(
            this::readObjects,
            () -> {
              if (rows.isEmpty()) {
                throw CommandFailure.badInput("there is no kubeconfig; set --kubeconfig");
              }
              notes.add("not read: PublishedResources and DependencyRules; set --kubeconfig");
            });
    serviceCluster.server(live).ifPresent(this::readObjects);
    Instant now = Instant.now();
    output.print(
        new Table(ObjectStatus.COLUMNS, rows.stream().map(row -> row.cells(now)).toList()),
        rows.stream().map(ObjectStatus::tree).toList());
    if (rows.isEmpty()) {
      output.printSummary("there is no PublishedResource and no DependencyRule");
    }
    notes.forEach(output::printSummary);
    return rows.stream().anyMatch(row -> row.state().isProblem()) ? ExitCode.FOUND : ExitCode.OK;
  }

  /** A server that does not answer is a row, unless there is nothing else to show. */
  private void readObjects(LiveOptions.Server opened) {
    try (LiveOptions.Server server = opened) {
      KubeClient client = server.client();
      Optional<List<KubeObject>> published =
          list(client, Types.PUBLISHED_RESOURCES, "PublishedResource");
      Optional<List<KubeObject>> rules = list(client, DependencyRule.TYPE, DependencyRule.KIND);
      if (published.isEmpty() && rules.isEmpty()) {
        servesNeither(client);
      }
      Stream.of(published, rules)
          .flatMap(Optional::stream)
          .flatMap(List::stream)
          .map(ObjectStatus::of)
          .forEach(rows::add);
    } catch (KubeFailure e) {
      if (rows.isEmpty()) {
        throw e;
      }
      rows.add(ObjectStatus.unknown("objects", "NotRead", String.valueOf(e.getMessage())));
    }
  }

  private void servesNeither(KubeClient client) {
    String said =
        client.url()
            + " serves neither PublishedResources nor DependencyRules; choose another --context or"
            + " --workspace";
    if (rows.isEmpty()) {
      throw CommandFailure.badInput(said);
    }
    notes.add(said);
  }

  /** Items of a list say no kind. Empty if the server does not serve the type. */
  private static Optional<List<KubeObject>> list(
      KubeClient client, ResourceType type, String kind) {
    try {
      return Optional.of(
          client.list(type, ListQuery.ALL).items().stream()
              .map(object -> object.with(kind, "kind"))
              .toList());
    } catch (KubeFailure e) {
      if (e.kind() == KubeFailure.Kind.NOT_SERVED) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
