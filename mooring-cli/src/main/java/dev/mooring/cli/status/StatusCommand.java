package dev.mooring.cli.status;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.ExitCode;
import dev.mooring.cli.demo.Types;
import dev.mooring.cli.live.LiveOptions;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.output.Table;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mooring status}: exit status 1 if something is not ready. */
@Command(
    name = "status",
    description = {
      "Shows what the services report on PublishedResources and DependencyRules: whether each is"
          + " ready, and if not, the condition that says why.",
      "PublishedResources are on the service cluster, DependencyRules in workspaces of providers."
    },
    footer = {
      "%nExamples:",
      "  mooring status",
      "  mooring status --context kcp --workspace root:org:network",
      "  mooring status -o json | jq '.[] | select(.state != \"ready\")'"
    })
public final class StatusCommand implements Callable<Integer> {
  @Mixin private LiveOptions live;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    List<ObjectStatus> all;
    try (LiveOptions.Server server = live.server()) {
      all = read(server.client());
    }
    output.print(
        new Table(ObjectStatus.COLUMNS, all.stream().map(ObjectStatus::row).toList()),
        all.stream().map(ObjectStatus::tree).toList());
    if (all.isEmpty()) {
      output.printSummary("there is no PublishedResource and no DependencyRule");
    }
    return all.stream().anyMatch(each -> each.state().isProblem()) ? ExitCode.FOUND : ExitCode.OK;
  }

  private static List<ObjectStatus> read(KubeClient client) {
    Optional<List<KubeObject>> published =
        list(client, Types.PUBLISHED_RESOURCES, "PublishedResource");
    Optional<List<KubeObject>> rules = list(client, DependencyRule.TYPE, DependencyRule.KIND);
    if (published.isEmpty() && rules.isEmpty()) {
      throw CommandFailure.badInput(
          client.url()
              + " serves neither PublishedResources nor DependencyRules; choose another --context"
              + " or --workspace");
    }
    var objects = new ArrayList<>(published.orElse(List.of()));
    objects.addAll(rules.orElse(List.of()));
    return objects.stream().map(ObjectStatus::of).toList();
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
