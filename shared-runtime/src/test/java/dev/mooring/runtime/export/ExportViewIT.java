package dev.mooring.runtime.export;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.ManualTime;
import dev.mooring.runtime.watch.Change;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a kcp with two shards, which only the sandbox is here. */
class ExportViewIT {
  private static final ResourceType BOATS = new ResourceType("harbour.example.io", "v1", "boats");
  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");
  private static final ResourceType LOGICAL_CLUSTERS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");
  private static final ResourceType SLICES = ExportView.SLICES;
  private static final String NAMESPACE = "default";

  private static KcpSandbox kcp;
  private static TestWorkspaces workspaces;
  private static WorkspacePath first;
  private static WorkspacePath second;

  @TempDir private Path directory;
  private WorkspacePath provider;
  private KubeConnection connection;

  @BeforeAll
  static void starts(@TempDir Path directory) {
    kcp = KcpSandbox.start(ServerOptions.in(directory).withShards(2));
    workspaces = TestWorkspaces.on(kcp.kubeconfigFile());
    Map<String, WorkspacePath> consumers = oneOnEachShard();
    first = consumers.get("root");
    second = consumers.get("shard-1");
  }

  @AfterAll
  static void stops() {
    workspaces.close();
    kcp.close();
  }

  @BeforeEach
  void exports() {
    provider = workspaces.create("provider");
    workspaces.create(provider, EXPORT);
    connection =
        KubeConnection.fromKubeconfig(
            workspaces.kubeconfigFor(provider, directory.resolve("provider.kubeconfig")),
            ConnectionOptions.of("test"));
  }

  @AfterEach
  void unbinds() {
    for (WorkspacePath consumer : List.of(first, second)) {
      if (workspaces.client(consumer).find(BINDINGS, "", "boats").isPresent()) {
        unbind(consumer);
      }
    }
    connection.close();
  }

  @Test
  void followsTheShardsThatHaveConsumers() {
    try (ExportView view = view(new NoListener(), Set.of())) {
      workspaces.bind(first, binding(provider));
      sail(first);
      awaitBoats(view, first);

      workspaces.bind(second, binding(provider));
      sail(second);
      awaitBoats(view, first, second);
      LogicalCluster there = workspaces.cluster(second);
      assertThat(view.describe()).hasSize(2);
      assertThat(
              view.client(there).orElseThrow().find(BOATS, NAMESPACE, "anna").map(KubeObject::name))
          .contains("anna");

      unbind(second);
      awaitBoats(view, first);
      await().untilAsserted(() -> assertThat(view.describe()).hasSize(1));
      assertThat(view.client(there)).isEmpty();
    }
  }

  @Test
  void keepsItsEndpointsWhileItsSliceIsRecreated() {
    workspaces.bind(first, binding(provider));
    sail(first);
    workspaces.bind(second, binding(provider));
    sail(second);
    var watcher = new Watcher();
    try (ExportView view = view(watcher, Set.of())) {
      watcher.watch(view);
      awaitBoats(view, first, second);
      SortedSet<URI> endpoints = view.endpoints();
      String slice = slice().orElseThrow().uid();

      watcher.begins();
      workspaces.client(provider).delete(SLICES, "", "boats", new DeleteCondition.Unconditional());
      await()
          .until(() ->
              slice()
                  .filter(made -> !made.uid().equals(slice))
                  .filter(made -> made.list("status", "endpoints").size() == 2)
                  .isPresent());
      await().until(() -> allListed(view));

      assertThat(watcher.seen).as("what was shown meanwhile").isNotEmpty().containsOnly("2 boats");
      assertThat(view.endpoints()).isEqualTo(endpoints);
    }
  }

  @Test
  void reachesEndpointsByTheHostsThatTheTermsName() {
    workspaces.bind(first, binding(provider));
    sail(first);
    workspaces.bind(second, binding(provider));
    sail(second);
    try (ExportView view = viewBy("127.0.0.1=localhost")) {
      awaitBoats(view, first, second);

      assertThat(view.endpoints()).extracting(URI::getHost).containsOnly("localhost");
    }
  }

  /** What the shard of the second endpoint has would be missed. */
  @Test
  void isNotReadyWhileOverridesMakeOneOfTwoEndpoints() {
    workspaces.bind(first, binding(provider));
    sail(first);
    workspaces.bind(second, binding(provider));
    sail(second);
    String only = "localhost:" + kcp.shards().get("root").getPort();
    try (ExportView view = viewBy(only)) {
      await()
          .untilAsserted(() ->
              assertThat(view.state())
                  .isInstanceOfSatisfying(
                      ExportState.Waiting.class,
                      waiting ->
                          assertThat(waiting.reason())
                              .startsWith(
                                  "endpoint-host-override makes one of several endpoints")));
    }
  }

  private ExportView viewBy(String override) {
    return ExportView.of(
            connection,
            ExportWatchOptions.of("boats", BOATS)
                .reachedBy(EndpointOverrides.of(List.of(override))),
            new NoListener())
        .start();
  }

  /** Held between its shards, which kcp passes in moments. */
  @Test
  void waitsForEveryShardOfASliceThatIsRecreatedWhileItStarts() {
    workspaces.bind(first, binding(provider));
    sail(first);
    workspaces.bind(second, binding(provider));
    sail(second);
    await().until(() -> urls().size() == 2);
    Map<String, ?> one = Map.of("url", urls().getFirst());
    KubeClient slices = workspaces.client(provider);
    // kcp looks after no slice that is going.
    finalizers(List.of("example.com/held"));
    slices.delete(SLICES, "", "boats", new DeleteCondition.Unconditional());
    slices.patchStatus(SLICES, "", "boats", Map.of("status", Map.of("endpoints", List.of(one))));
    var time = new ManualTime();
    try (ExportView view =
        ExportView.of(
                connection, ExportWatchOptions.of("boats", BOATS), new NoListener(), time, time)
            .start()) {
      var moment =
          new ExportState.Waiting(
              "the APIExportEndpointSlice of APIExport boats was made a moment ago: shards may"
                  + " still have to enter their URLs");
      await().until(() -> view.all(BOATS).size() == 1);
      await().untilAsserted(() -> assertThat(view.state()).isEqualTo(moment));

      finalizers(List.of());
      await().until(() -> view.all(BOATS).size() == 2);
      await().untilAsserted(() -> assertThat(view.state()).isEqualTo(moment));

      time.advance(EndpointSliceStabilizer.ENTERED_WITHIN);
      awaitBoats(view, first, second);
    }
  }

  private List<String> urls() {
    return slice().stream()
        .flatMap(slice -> slice.list("status", "endpoints").stream())
        .map(endpoint -> Trees.textOrEmpty(Trees.at(endpoint, "url")))
        .toList();
  }

  private void finalizers(List<String> finalizers) {
    workspaces
        .client(provider)
        .patch(SLICES, "", "boats", Map.of("metadata", Map.of("finalizers", finalizers)));
  }

  @Test
  void knowsThatNothingIsLeftOnceTheLastBindingIsGone() {
    workspaces.bind(first, binding(provider));
    sail(first);
    try (ExportView view = view(new NoListener(), Set.of())) {
      awaitBoats(view, first);
      SortedSet<URI> endpoints = view.endpoints();

      unbind(first);

      await().until(() -> view.endpoints().isEmpty());
      awaitBoats(view);
      try (ExportView successor = view(new NoListener(), endpoints);
          ExportView stranger = view(new NoListener(), Set.of())) {
        awaitBoats(successor);
        await()
            .untilAsserted(() ->
                assertThat(stranger.state())
                    .isEqualTo(
                        new ExportState.Waiting(
                            "the APIExportEndpointSlice of APIExport boats has no endpoints: no"
                                + " workspace has bound the export yet")));
      }
    }
  }

  private ExportView view(ExportListener listener, Set<URI> known) {
    return ExportView.of(connection, ExportWatchOptions.of("boats", BOATS).knowing(known), listener)
        .start();
  }

  private Optional<KubeObject> slice() {
    return workspaces.client(provider).find(SLICES, "", "boats");
  }

  private static boolean allListed(ExportView view) {
    return view.describe().values().stream()
        .noneMatch(held -> Boolean.FALSE.equals(Trees.at(held, "listed")));
  }

  private static void unbind(WorkspacePath consumer) {
    workspaces.client(consumer).delete(BINDINGS, "", "boats", new DeleteCondition.Unconditional());
    await().until(() -> workspaces.client(consumer).find(BINDINGS, "", "boats").isEmpty());
  }

  private static Map<String, WorkspacePath> oneOnEachShard() {
    var consumers = new LinkedHashMap<String, WorkspacePath>();
    while (consumers.size() < 2) {
      // Where a workspace goes is a matter of its cluster's random name.
      WorkspacePath made = workspaces.create("consumer");
      KubeObject cluster =
          workspaces.client(made).find(LOGICAL_CLUSTERS, "", "cluster").orElseThrow();
      consumers.putIfAbsent(cluster.annotation("core.kcp.io/shard").orElseThrow(), made);
    }
    return consumers;
  }

  private static void sail(WorkspacePath consumer) {
    workspaces.create(
        consumer,
        BOATS,
        KubeObject.of(
            Map.of(
                "apiVersion", BOATS.apiVersion(),
                "kind", "Boat",
                "metadata", Map.of("name", "anna", "namespace", NAMESPACE))));
  }

  private static void awaitBoats(ExportView view, WorkspacePath... consumers) {
    List<ObjectKey> expected =
        List.of(consumers).stream()
            .map(consumer -> new ObjectKey(workspaces.cluster(consumer), NAMESPACE, "anna"))
            .sorted()
            .toList();
    await()
        .untilAsserted(() -> {
          assertThat(view.state()).isEqualTo(new ExportState.Ready());
          assertThat(view.all(BOATS))
              .extracting(boat ->
                  new ObjectKey(boat.logicalCluster().orElseThrow(), boat.namespace(), boat.name()))
              .isEqualTo(expected);
        });
  }

  private static KubeObject binding(WorkspacePath provider) {
    return Manifests.parse(
            """
            apiVersion: apis.kcp.io/v1alpha2
            kind: APIBinding
            metadata: {name: boats}
            spec: {reference: {export: {path: "%s", name: boats}}}
            """
                .formatted(provider.value()))
        .getFirst();
  }

  /** Notes what a view shows whenever it says that something may have changed. */
  private static final class Watcher implements ExportListener {
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private final AtomicReference<ExportView> watched = new AtomicReference<>();
    private volatile boolean begun;

    void watch(ExportView view) {
      watched.set(view);
    }

    void begins() {
      begun = true;
    }

    @Override
    public void changed(ResourceType type, Change change) {}

    @Override
    public void stateChanged() {
      ExportView view = watched.get();
      if (begun) {
        seen.add(
            switch (view.state()) {
              case ExportState.Ready() -> view.all(BOATS).size() + " boats";
              case ExportState.Waiting(var reason) -> reason;
            });
      }
    }
  }

  private record NoListener() implements ExportListener {
    @Override
    public void changed(ResourceType type, Change change) {}

    @Override
    public void stateChanged() {}
  }

  private static final String EXPORT =
      """
      apiVersion: apis.kcp.io/v1alpha1
      kind: APIResourceSchema
      metadata: {name: v1.boats.harbour.example.io}
      spec:
        group: harbour.example.io
        scope: Namespaced
        names: {plural: boats, singular: boat, kind: Boat, listKind: BoatList}
        versions:
        - name: v1
          served: true
          storage: true
          schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
      ---
      apiVersion: apis.kcp.io/v1alpha2
      kind: APIExport
      metadata: {name: boats}
      spec:
        resources:
        - {group: harbour.example.io, name: boats, schema: v1.boats.harbour.example.io, storage: {crd: {}}}
      """;
}
