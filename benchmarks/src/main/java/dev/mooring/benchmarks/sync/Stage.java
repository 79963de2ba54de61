package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.Workspace;
import dev.mooring.benchmarks.common.Workspaces;
import dev.mooring.harness.Manifests;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Workspaces of one agent: one as the service cluster, one with the APIExport, consumers'. */
final class Stage {
  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");
  private static final KubeObject EXPORT = Types.resource("export.yaml");
  private static final KubeObject SLICE =
      KubeObject.of(
          new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices"),
          "APIExportEndpointSlice",
          "",
          Types.EXPORT);

  private final Workspaces workspaces;
  private final Workspace service;
  private final Workspace provider;
  private final List<Workspace> consumers;

  @SuppressWarnings("NullAway.Init") // Set by bind.
  private URI endpoint;

  /** One object of one consumer. */
  record Parcel(Workspace consumer, String name) {
    /** The same of the source and of its copy. */
    String id() {
      return copyNamespace() + "/" + name;
    }

    String copyNamespace() {
      return consumer.cluster().name();
    }
  }

  /**
   * Everything that an agent needs before it starts.
   *
   * @param crd of PublishedResources
   */
  Stage(Workspaces workspaces, Path crd, int consumers) {
    this.workspaces = workspaces;
    this.service = workspaces.create("service");
    this.provider = workspaces.create("provider");
    this.consumers =
        IntStream.rangeClosed(1, consumers)
            .mapToObj(number -> workspaces.create("consumer-" + number))
            .toList();
    for (KubeObject type : List.of(Manifests.ofFile(crd).getFirst(), Types.resource("crd.yaml"))) {
      service.create(type);
      service.await(type, "is established", found -> found.hasCondition("Established"));
    }
    provider.create(EXPORT);
    service.create(Types.resource("published-resource.yaml"));
  }

  /** Binds the export in all consumers' workspaces, once the agent has published it. */
  void bind(MeasuredProcess agent) {
    KubeObject export =
        provider.await(
            EXPORT,
            "has resources and permission claims",
            found -> {
              agent.requireAlive();
              return !found.list("spec", "resources").isEmpty()
                  && !found.list("spec", "permissionClaims").isEmpty();
            });
    consumers.forEach(consumer -> consumer.bind(binding(export)));
    KubeObject slice =
        provider.await(
            SLICE, "has endpoints", found -> !found.list("status", "endpoints").isEmpty());
    endpoint = URI.create(Trees.text(slice.list("status", "endpoints").getFirst(), "url"));
  }

  KubeClient service() {
    return service.client();
  }

  List<Workspace> consumers() {
    return consumers;
  }

  /** The workspace as an agent reaches it, through the APIExport's virtual workspace. */
  KubeClient asAgent(Workspace consumer) {
    return workspaces.client(URI.create(endpoint + "/clusters/" + consumer.cluster().name()));
  }

  Path serviceKubeconfig() {
    return workspaces.kubeconfigFor(service);
  }

  Path providerKubeconfig() {
    return workspaces.kubeconfigFor(provider);
  }

  Path directory() {
    return workspaces.directory();
  }

  /**
   * The objects of one measurement, spread over all consumers.
   *
   * @param prefix of the names
   */
  List<Parcel> parcels(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Parcel(consumers.get(i % consumers.size()), prefix + "-" + i))
        .toList();
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
    var reference = Map.of("path", provider.path().value(), "name", Types.EXPORT);
    return KubeObject.of(BINDINGS, "APIBinding", "", Types.EXPORT)
        .with(reference, "spec", "reference", "export")
        .with(claims, "spec", "permissionClaims");
  }
}
