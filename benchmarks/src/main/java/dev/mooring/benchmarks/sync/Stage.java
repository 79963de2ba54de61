package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.Patience;
import dev.mooring.benchmarks.common.Workspaces;
import dev.mooring.harness.Manifests;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Workspaces of one run on a kcp: one as the service cluster, one with the APIExport, and the
 * consumers'. They are deleted when the stage is closed.
 */
final class Stage implements AutoCloseable {
  static final String USER_AGENT = "sync-benchmark";

  private final Workspaces workspaces;
  private final List<Consumer> consumers = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // Set by bind.
  private URI endpoint;

  /** A consumer's workspace. */
  record Consumer(KubeClient client, LogicalCluster cluster) {}

  private Stage(Workspaces workspaces) {
    this.workspaces = workspaces;
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
    var stage = new Stage(new Workspaces(kubeconfig, directory, prefix, USER_AGENT));
    stage.workspaces.create("service");
    stage.workspaces.create("provider");
    for (int number = 1; number <= consumers; number++) {
      stage.consumers.add(stage.consumer(number));
    }
    stage.establish(Manifests.ofFile(publishedResourceCrd).getFirst());
    stage.establish(Types.resource("crd.yaml"));
    stage.provider().create(Types.EXPORTS, Types.resource("export.yaml"));
    Workspaces.create(stage.service(), Types.resource("published-resource.yaml"));
    return stage;
  }

  /** Binds the export in all consumers' workspaces, once the agent has published it. */
  void bind(MeasuredProcess agent) {
    KubeObject export =
        Patience.await(
            "the agent has put the resource into the APIExport",
            () -> {
              agent.requireAlive();
              return provider()
                  .find(Types.EXPORTS, "", Types.EXPORT)
                  .filter(e -> !e.list("spec", "resources").isEmpty())
                  .filter(e -> !e.list("spec", "permissionClaims").isEmpty());
            });
    for (Consumer consumer : consumers) {
      consumer.client().create(Types.BINDINGS, binding(export));
    }
    for (Consumer consumer : consumers) {
      Patience.await(
          "the APIExport is bound",
          () ->
              consumer
                  .client()
                  .find(Types.BINDINGS, "", Types.EXPORT)
                  .filter(binding -> binding.text("status", "phase").equals("Bound")));
    }
    endpoint =
        Patience.await(
            "the endpoint slice has an endpoint",
            () ->
                provider()
                    .find(Types.SLICES, "", Types.EXPORT)
                    .flatMap(slice -> slice.list("status", "endpoints").stream().findFirst())
                    .map(entry -> URI.create(Trees.text(entry, "url"))));
  }

  KubeClient service() {
    return workspaces.client("service");
  }

  KubeClient provider() {
    return workspaces.client("provider");
  }

  List<Consumer> consumers() {
    return consumers;
  }

  /** The workspace as an agent reaches it, through the APIExport's virtual workspace. */
  KubeClient asAgent(Consumer consumer) {
    return workspaces.client(URI.create(endpoint + "/clusters/" + consumer.cluster().name()));
  }

  Path serviceKubeconfig() {
    return workspaces.kubeconfigFor("service");
  }

  Path providerKubeconfig() {
    return workspaces.kubeconfigFor("provider");
  }

  Path directory() {
    return workspaces.directory();
  }

  @Override
  public void close() {
    workspaces.close();
  }

  private Consumer consumer(int number) {
    String name = "consumer-" + number;
    LogicalCluster cluster = workspaces.create(name);
    return new Consumer(workspaces.client(name), cluster);
  }

  private void establish(KubeObject crd) {
    Workspaces.create(service(), crd);
    Patience.await(
        crd.name() + " is established",
        () ->
            service()
                .find(Types.CRDS, "", crd.name())
                .filter(found -> found.hasCondition("Established")));
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
    var reference = Map.of("path", workspaces.path("provider").value(), "name", Types.EXPORT);
    return KubeObject.of(Types.BINDINGS, "APIBinding", "", Types.EXPORT)
        .with(reference, "spec", "reference", "export")
        .with(claims, "spec", "permissionClaims");
  }
}
