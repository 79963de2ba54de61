package dev.mooring.cli.resync;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.ExitCode;
import dev.mooring.cli.live.AllManagementUrls;
import dev.mooring.cli.live.LiveOptions;
import dev.mooring.cli.live.Management;
import dev.mooring.cli.live.Management.Answer;
import dev.mooring.cli.live.ServedType;
import dev.mooring.cli.live.Service;
import dev.mooring.cli.live.ServiceClusterOptions;
import dev.mooring.cli.live.Titles;
import dev.mooring.cli.live.TokenOptions;
import dev.mooring.cli.live.Types;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mooring resync}: exit status 1 unless every service accepts it. */
@Command(
    name = "resync",
    description = {
      "Requeues everything, one PublishedResource, one object or one provider.",
      "It asks the services whose URLs are named, with a token that may post resync. Nothing is"
          + " written that is as it should be."
    },
    footer = {
      "%nExamples:",
      "  mooring resync --agent-url http://localhost:8085 --webhook-url http://localhost:8087",
      "  mooring resync certificates --agent-url http://localhost:8085 --token-file token",
      "  mooring resync certificates shop -w root:org:team-blue --agent-url http://localhost:8085",
      "  mooring resync --provider root:org:network --controller-url http://localhost:8086"
    })
public final class ResyncCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "PUBLISHEDRESOURCE",
      defaultValue = "",
      description = "Name of a PublishedResource (default: everything).")
  private String published;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Of an object of its type, in the workspace (default: all objects).")
  private String name;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Of the object, if its type has namespaces (default: ${DEFAULT-VALUE}).")
  private String namespace = "default";

  @Option(
      names = "--provider",
      paramLabel = "WORKSPACE",
      defaultValue = "",
      description =
          "Requeue at dependency controller and webhook what is about this provider alone: its"
              + " path, or its logical cluster.")
  private String provider;

  @Mixin private LiveOptions live;
  @Mixin private ServiceClusterOptions serviceCluster;
  @Mixin private AllManagementUrls management;
  @Mixin private TokenOptions token;
  @Mixin private OutputOptions output;

  /**
   * What a service is asked.
   *
   * @param path below {@code resync}; empty for everything
   * @param item in words
   */
  private record Request(Management service, String path, String item) {}

  @Override
  public Integer call() {
    boolean accepted = true;
    var rows = new ArrayList<Map<String, Object>>();
    for (Request request : requests()) {
      Optional<String> problem = problem(request);
      accepted &= problem.isEmpty();
      rows.add(
          Trees.ordered(
              "service", request.service().service().title(),
              "item", request.item(),
              "state", problem.isEmpty() ? "accepted" : "refused",
              "message", problem.orElse("")));
    }
    output.printRows(rows);
    return accepted ? ExitCode.OK : ExitCode.FOUND;
  }

  private List<Request> requests() {
    if (!provider.isEmpty()) {
      return ofProvider();
    }
    if (published.isEmpty()) {
      List<Request> all =
          named(Service.values()).map(service -> new Request(service, "", "all")).toList();
      if (all.isEmpty()) {
        throw CommandFailure.badInput(
            "no service is named; set --agent-url, --controller-url or --webhook-url");
      }
      return all;
    }
    Management agent =
        management
            .find(Service.agent)
            .map(this::authorized)
            .orElseThrow(() ->
                CommandFailure.badInput(
                    "the sync agent resyncs a PublishedResource; set --agent-url"));
    return List.of(
        name.isEmpty() ? new Request(agent, "/" + published, published) : oneObject(agent));
  }

  private List<Request> ofProvider() {
    if (!published.isEmpty()) {
      throw CommandFailure.badInput(
          "a PublishedResource and --provider are of different services; name one of them");
    }
    List<Management> services = named(Service.controller, Service.webhook).toList();
    if (services.isEmpty()) {
      throw CommandFailure.badInput(
          "controller and webhook resync a provider; set --controller-url or --webhook-url");
    }
    LogicalCluster cluster = providersCluster();
    return services.stream().map(service -> new Request(service, "/" + cluster, provider)).toList();
  }

  private Stream<Management> named(Service... services) {
    return Arrays.stream(services)
        .flatMap(service -> management.find(service).stream())
        .map(this::authorized);
  }

  /** A path has colons, a logical cluster none but {@code root}, which is its own path. */
  private LogicalCluster providersCluster() {
    return LiveOptions.usable(
        "--provider: ",
        () ->
            provider.contains(":")
                ? clusterAt(new WorkspacePath(provider))
                : new LogicalCluster(provider));
  }

  private LogicalCluster clusterAt(WorkspacePath path) {
    try (LiveOptions.Server kcp = live.server()) {
      return kcp.connection()
          .client(path)
          .find(Types.LOGICAL_CLUSTERS, "", "cluster")
          .flatMap(KubeObject::logicalCluster)
          .orElseThrow(() ->
              CommandFailure.badInput(
                  "there is no workspace %s; correct --provider, or name its logical cluster"
                      .formatted(path)));
    }
  }

  private Management authorized(Management service) {
    return token.authorized(service, live, serviceCluster);
  }

  private Request oneObject(Management agent) {
    ObjectKey key = key(typeAtAgent(agent));
    return new Request(
        agent,
        "/%s/%s/%s/%s"
            .formatted(
                published,
                key.cluster(),
                key.namespace().isEmpty() ? "-" : key.namespace(),
                key.name()),
        published + " " + Titles.of(key.namespace(), key.name()));
  }

  /** In kcp, as plural with group. */
  private String typeAtAgent(Management agent) {
    return switch (agent.get("status/" + published)) {
      case Answer.Silent(var why) -> throw CommandFailure.unreachable(why);
      case Answer.Answered answer when !answer.isOk() ->
          throw CommandFailure.unreachable("the sync agent: " + answer.problem());
      case Answer.Answered(_, var status) -> {
        String type = status.text("sync", "type");
        if (type.isEmpty()) {
          throw CommandFailure.badInput(
              "PublishedResource " + published + " syncs no objects; mooring status says why");
        }
        yield type.replaceFirst("\\.[^.]+", "");
      }
    };
  }

  private ObjectKey key(String type) {
    try (LiveOptions.Server kcp = live.server()) {
      Function<ServedType, Optional<KubeObject>> find =
          served ->
              kcp.client().find(served.resource(), served.namespaced() ? namespace : "", name);
      KubeObject object =
          ServedType.named(kcp.client(), type)
              .flatMap(find)
              .orElseThrow(() ->
                  CommandFailure.badInput(
                      "there is no %s %s at %s; correct the name, --namespace or --workspace"
                          .formatted(type, name, kcp.client().url())));
      return object
          .logicalCluster()
          .map(cluster -> new ObjectKey(cluster, object.namespace(), object.name()))
          .orElseThrow(() ->
              CommandFailure.badInput(
                  kcp.client().url() + " is no workspace of kcp; choose another --context"));
    }
  }

  /** Why it is not done; empty if the service accepts it. */
  private static Optional<String> problem(Request request) {
    return switch (request.service().post("resync" + request.path())) {
      case Answer.Silent(var why) ->
          Optional.of(why + "; start it, or correct " + request.service().service().option());
      case Answer.Answered said when !said.isOk() -> Optional.of(said.problem());
      case Answer.Answered _ -> Optional.empty();
    };
  }
}
