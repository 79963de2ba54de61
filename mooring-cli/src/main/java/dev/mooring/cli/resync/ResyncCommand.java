package dev.mooring.cli.resync;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.ExitCode;
import dev.mooring.cli.demo.Types;
import dev.mooring.cli.live.AllManagementUrls;
import dev.mooring.cli.live.LiveOptions;
import dev.mooring.cli.live.Management;
import dev.mooring.cli.live.Management.Answer;
import dev.mooring.cli.live.ServedType;
import dev.mooring.cli.live.Service;
import dev.mooring.cli.live.ServiceClusterOptions;
import dev.mooring.cli.live.TokenOptions;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.output.Table;
import dev.mooring.cli.resync.ResyncRow.State;
import dev.mooring.harness.Await;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mooring resync}: exit status 1 unless everything is done and nothing fails. */
@Command(
    name = "resync",
    description = {
      "Requeues everything, one PublishedResource, one object or one provider, waits until it is"
          + " done, and shows what was queued and what fails.",
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
  private static final String ALL = "all";

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
          "Requeue at dependency controller and webhook what is about this provider alone: its path,"
              + " or its logical cluster.")
  private String provider;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long to wait until it is done (default: ${DEFAULT-VALUE}).")
  private long timeoutSeconds = 300;

  @Mixin private LiveOptions live;
  @Mixin private ServiceClusterOptions serviceCluster;
  @Mixin private AllManagementUrls management;
  @Mixin private TokenOptions token;
  @Mixin private OutputOptions output;

  @Spec private CommandSpec spec;

  /**
   * What a service is asked.
   *
   * @param path below {@code resync}; empty for everything
   * @param item in words
   * @param status path of the endpoint that shows how far it is
   * @param progress by the answer of that endpoint, and the time since the request
   */
  private record Request(
      Management service, String path, String item, String status, Reading progress) {}

  @FunctionalInterface
  private interface Reading {
    Progress of(KubeObject answer, Duration elapsed);
  }

  @Override
  public Integer call() {
    List<Request> requests = requests();
    var rows = new ArrayList<ResyncRow>();
    // All are asked before the first is waited for.
    List<Answer> answers =
        requests.stream()
            .map(request -> request.service().post("resync" + request.path()))
            .toList();
    Instant asked = Instant.now();
    for (int i = 0; i < requests.size(); i++) {
      Request request = requests.get(i);
      rows.addAll(
          problem(request, answers.get(i))
              .map(problem -> List.of(refused(request, problem)))
              .orElseGet(() -> awaited(request, asked)));
    }
    output.print(
        new Table(ResyncRow.COLUMNS, rows.stream().map(ResyncRow::cells).toList()),
        rows.stream().map(ResyncRow::tree).toList());
    return rows.stream().allMatch(row -> row.state() == State.done) ? ExitCode.OK : ExitCode.FOUND;
  }

  private List<Request> requests() {
    if (!provider.isEmpty()) {
      return ofProvider();
    }
    if (published.isEmpty()) {
      List<Request> all = named(Service.values()).map(this::everything).toList();
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
    return List.of(name.isEmpty() ? onePublished(agent) : oneObject(agent));
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
    return services.stream().map(service -> oneProvider(service, cluster)).toList();
  }

  private Stream<Management> named(Service... services) {
    return Arrays.stream(services)
        .flatMap(service -> management.find(service).stream())
        .map(this::authorized);
  }

  /** A path has colons, a logical cluster none but {@code root}, which is its own path. */
  private LogicalCluster providersCluster() {
    try {
      return provider.contains(":")
          ? clusterAt(new WorkspacePath(provider))
          : new LogicalCluster(provider);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.badInput("--provider: " + e.getMessage());
    }
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

  private Request oneProvider(Management service, LogicalCluster cluster) {
    return service.service() == Service.controller
        ? new Request(
            service,
            "/" + cluster,
            provider,
            "status",
            (status, _) -> Progress.ofProvider(provider, cluster, status))
        : new Request(
            service,
            "/" + cluster,
            provider,
            "health/readiness",
            (health, elapsed) -> Progress.ofWebhook(provider, health, elapsed));
  }

  private Management authorized(Management service) {
    return token.authorized(service, live, serviceCluster);
  }

  private Request everything(Management service) {
    return switch (service.service()) {
      case agent ->
          new Request(
              service,
              "",
              ALL,
              "status",
              (status, _) -> Progress.ofAgent(status.map("publishedResources")));
      case controller ->
          new Request(
              service, "", ALL, "status", (status, _) -> Progress.ofController(ALL, status));
      case webhook ->
          new Request(
              service,
              "",
              ALL,
              "health/readiness",
              (health, elapsed) -> Progress.ofWebhook(ALL, health, elapsed));
    };
  }

  private Request onePublished(Management agent) {
    return new Request(
        agent,
        "/" + published,
        published,
        "status/" + published,
        (status, _) -> Progress.ofAgent(Map.of(published, status.tree())));
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
        published + " " + (key.namespace().isEmpty() ? "" : key.namespace() + "/") + key.name(),
        "status/" + published,
        (status, _) ->
            Progress.ofObject(
                published
                    + " "
                    + (key.namespace().isEmpty() ? "" : key.namespace() + "/")
                    + key.name(),
                key.toString(),
                status.tree()));
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
  private static Optional<String> problem(Request request, Answer answer) {
    return switch (answer) {
      case Answer.Silent(var why) ->
          Optional.of(why + "; start it, or correct " + request.service().service().option());
      case Answer.Answered said when !said.isOk() -> Optional.of(said.problem());
      case Answer.Answered _ -> Optional.empty();
    };
  }

  private static ResyncRow refused(Request request, String problem) {
    return new ResyncRow(
        request.service().service().title(), request.item(), "", State.refused, problem);
  }

  /** Until nothing waits, or time is up. */
  private List<ResyncRow> awaited(Request request, Instant asked) {
    var last = new ArrayList<>(List.of(refused(request, "it does not say how far it is")));
    Duration left =
        Duration.ofSeconds(timeoutSeconds).minus(Duration.between(asked, Instant.now()));
    try {
      return Await.answer(
          "it is done",
          left.isNegative() ? Duration.ZERO : left,
          () -> {},
          () -> look(request, asked, last));
    } catch (HarnessFailure timeIsUp) {
      return last;
    }
  }

  private Optional<List<ResyncRow>> look(Request request, Instant asked, List<ResyncRow> last) {
    Answer answer = request.service().get(request.status());
    Optional<String> problem = problem(request, answer);
    // Readiness of a service that is not ready is an answer, too.
    if (answer instanceof Answer.Answered(_, var body)
        && (problem.isEmpty() || !body.text("status").isEmpty())) {
      Progress progress = request.progress().of(body, Duration.between(asked, Instant.now()));
      if (!progress.rows().equals(last) && progress.waiting() > 0) {
        say(request, progress);
      }
      last.clear();
      last.addAll(progress.rows());
      return progress.waiting() == 0 ? Optional.of(progress.rows()) : Optional.empty();
    }
    return Optional.of(List.of(refused(request, problem.orElse("no answer"))));
  }

  private void say(Request request, Progress progress) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(request.service().service().title() + ": " + progress.waiting() + " to go");
    err.flush();
  }
}
