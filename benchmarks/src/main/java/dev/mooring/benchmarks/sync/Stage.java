package dev.mooring.benchmarks.sync;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.ConnectionOptions;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.client.KubeFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Workspaces of one run on a kcp: one as the service cluster, one with the APIExport, and the
 * consumers'. They are deleted when the stage is closed.
 */
final class Stage implements AutoCloseable {
  static final String USER_AGENT = "sync-benchmark";

  private final Path kubeconfig;
  private final Path directory;
  private final KubeConnection connection;
  private final String prefix;
  private final List<Consumer> consumers = new ArrayList<>();
  private URI endpoint;

  /** A consumer's workspace. */
  record Consumer(KubeClient client, LogicalCluster cluster) {}

  private Stage(Path kubeconfig, Path directory, String prefix) {
    this.kubeconfig = kubeconfig;
    this.directory = directory;
    this.prefix = prefix;
    this.connection = KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of(USER_AGENT));
  }

  /**
   * Everything that an agent needs before it starts.
   *
   * @param kubeconfig of an administrator
   * @param directory for the agent's kubeconfigs
   * @param prefix of the workspaces' names, below root
   */
  static Stage build(
      Path kubeconfig, Path directory, String prefix, Path publishedResourceCrd, int consumers) {
    var stage = new Stage(kubeconfig, directory, prefix);
    stage.createWorkspace("service");
    stage.createWorkspace("provider");
    for (int number = 1; number <= consumers; number++) {
      stage.consumers.add(stage.consumer(number));
    }
    stage.establish(Manifests.file(publishedResourceCrd));
    stage.establish(Manifests.resource("crd.yaml"));
    stage.provider().create(Manifests.EXPORTS, Manifests.resource("export.yaml"));
    retried(() ->
        stage.service().create(Manifests.PUBLISHED, Manifests.resource("published-resource.yaml")));
    return stage;
  }

  /** Binds the export in all consumers' workspaces, once the agent has published it. */
  void bind(AgentProcess agent) {
    KubeObject export =
        Patience.await(
            "the agent has put the resource into the APIExport",
            () -> {
              agent.requireAlive();
              return provider()
                  .find(Manifests.EXPORTS, "", Manifests.EXPORT)
                  .filter(e -> !e.list("spec", "resources").isEmpty())
                  .filter(e -> !e.list("spec", "permissionClaims").isEmpty());
            });
    for (Consumer consumer : consumers) {
      consumer.client().create(Manifests.BINDINGS, binding(export));
    }
    for (Consumer consumer : consumers) {
      Patience.await(
          "the APIExport is bound",
          () ->
              consumer
                  .client()
                  .find(Manifests.BINDINGS, "", Manifests.EXPORT)
                  .filter(binding -> binding.text("status", "phase").equals("Bound")));
    }
    endpoint =
        Patience.await(
            "the endpoint slice has an endpoint",
            () ->
                provider()
                    .find(Manifests.SLICES, "", Manifests.EXPORT)
                    .flatMap(slice -> slice.list("status", "endpoints").stream().findFirst())
                    .map(entry -> URI.create(Trees.textOrEmpty(Trees.at(entry, "url")))));
  }

  KubeClient service() {
    return connection.client(path("service"));
  }

  KubeClient provider() {
    return connection.client(path("provider"));
  }

  List<Consumer> consumers() {
    return consumers;
  }

  /** The workspace as an agent reaches it, through the APIExport's virtual workspace. */
  KubeClient asAgent(Consumer consumer) {
    return connection.client(URI.create(endpoint + "/clusters/" + consumer.cluster().name()));
  }

  Path serviceKubeconfig() {
    return kubeconfigFor("service");
  }

  Path providerKubeconfig() {
    return kubeconfigFor("provider");
  }

  Path directory() {
    return directory;
  }

  @Override
  public void close() {
    KubeClient root = connection.client(WorkspacePath.ROOT);
    var names = new ArrayList<>(List.of("service", "provider"));
    for (int number = 1; number <= consumers.size(); number++) {
      names.add("consumer-" + number);
    }
    for (String name : names) {
      try {
        root.delete(
            Manifests.WORKSPACES, "", prefix + "-" + name, new DeleteCondition.Unconditional());
      } catch (KubeFailure e) {
        System.err.println("Left behind: " + e.getMessage());
      }
    }
    connection.close();
  }

  private Consumer consumer(int number) {
    String name = "consumer-" + number;
    var cluster = new LogicalCluster(createWorkspace(name).text("spec", "cluster"));
    return new Consumer(connection.client(path(name)), cluster);
  }

  private KubeObject createWorkspace(String name) {
    KubeClient root = connection.client(WorkspacePath.ROOT);
    root.create(
        Manifests.WORKSPACES,
        KubeObject.of(
            Map.of(
                "apiVersion", Manifests.WORKSPACES.apiVersion(),
                "kind", "Workspace",
                "metadata", Map.of("name", prefix + "-" + name),
                "spec", Map.of("type", Map.of("name", "universal", "path", "root")))));
    return Patience.await(
        "the workspace " + name + " is ready",
        () ->
            root.find(Manifests.WORKSPACES, "", prefix + "-" + name)
                .filter(workspace -> workspace.text("status", "phase").equals("Ready")));
  }

  private void establish(KubeObject crd) {
    retried(() -> service().create(Manifests.CRDS, crd));
    Patience.await(
        crd.name() + " is established",
        () ->
            service()
                .find(Manifests.CRDS, "", crd.name())
                .filter(found ->
                    found.list("status", "conditions").stream()
                        .anyMatch(condition ->
                            "Established".equals(Trees.at(condition, "type"))
                                && "True".equals(Trees.at(condition, "status")))));
  }

  private KubeObject binding(KubeObject export) {
    var claims =
        export.list("spec", "permissionClaims").stream()
            .map(claim -> {
              var accepted = Trees.thawMap(Trees.mapOrEmpty(claim));
              accepted.put("state", "Accepted");
              accepted.put("selector", Map.of("matchAll", true));
              return accepted;
            })
            .toList();
    var reference = Map.of("path", path("provider").value(), "name", Manifests.EXPORT);
    return KubeObject.of(
        Map.of(
            "apiVersion", Manifests.BINDINGS.apiVersion(),
            "kind", "APIBinding",
            "metadata", Map.of("name", Manifests.EXPORT),
            "spec", Map.of("reference", Map.of("export", reference), "permissionClaims", claims)));
  }

  private WorkspacePath path(String name) {
    return WorkspacePath.ROOT.child(prefix + "-" + name);
  }

  private Path kubeconfigFor(String name) {
    try {
      String server = connection.server().toString();
      String moved = server.replaceFirst("(/clusters/[^/]+)?$", "/clusters/" + path(name).value());
      return Files.writeString(
          directory.resolve(name + ".kubeconfig"),
          Files.readString(kubeconfig)
              .replaceAll("(?m)server: " + Pattern.quote(server) + "$", "server: " + moved));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a workspace or a type that was just made refuses for a moment. */
  private static void retried(Supplier<KubeObject> create) {
    Patience.await(
        "the object can be created",
        () -> {
          try {
            return Optional.of(create.get());
          } catch (KubeFailure e) {
            return switch (e.kind()) {
              case NOT_SERVED, NOT_FOUND, FORBIDDEN, UNAVAILABLE -> Optional.empty();
              case ALREADY_EXISTS, CONFLICT, INVALID, UNAUTHORIZED, GONE, TOO_LARGE -> throw e;
            };
          }
        });
  }
}
